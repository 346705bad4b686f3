// Formulas along rows, written once over pairs (oracles.md 3.2, 3.3, 3.5).
#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>

#include <algorithm>
#include <cmath>

#include "oracles/row_formulas.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {
namespace {

std::int64_t wrapped_dim(const PairTensor& self, std::int64_t dim) { return at::maybe_wrap_dim(dim, self.value.dim()); }

// The dims of a reduction moved to the end and made one; all of them when none is given.
PairTensor flattened(const PairTensor& self, const c10::IValue& dims) {
  const std::int64_t rank = self.value.dim();
  std::vector<std::int64_t> reduced = dims.isNone() ? std::vector<std::int64_t>() : dims.toIntVector();
  if (reduced.empty()) {
    for (std::int64_t d = 0; d < rank; ++d) reduced.push_back(d);
  }
  for (std::int64_t& d : reduced) d = at::maybe_wrap_dim(d, rank);
  std::sort(reduced.begin(), reduced.end());
  std::vector<std::int64_t> order, kept_sizes;
  for (std::int64_t d = 0; d < rank; ++d) {
    if (std::find(reduced.begin(), reduced.end(), d) != reduced.end()) continue;
    order.push_back(d);
    kept_sizes.push_back(self.value.size(d));
  }
  order.insert(order.end(), reduced.begin(), reduced.end());
  std::int64_t length = 1;
  for (const std::int64_t d : reduced) length *= rank == 0 ? 1 : self.value.size(d);
  kept_sizes.push_back(length);
  PairTensor result = self;
  result.companion = nullptr;
  result.value = self.value.permute(rank == 0 ? std::vector<std::int64_t>() : order).reshape(kept_sizes);
  if (self.bound.defined()) result.bound = self.bound.permute(rank == 0 ? std::vector<std::int64_t>() : order).reshape(kept_sizes);
  return result;
}

// One pair per row of `self`, in the sizes of the op's own result.
template <typename Formula>
PairTensor reduce_rows(const PairTensor& flat, at::IntArrayRef sizes, at::ScalarType shown, Formula formula) {
  const std::int64_t length = flat.value.size(-1);
  const at::Tensor value = flat.value.contiguous(), bound = flat.bound.defined() ? flat.bound.contiguous() : at::Tensor();
  at::Tensor new_value = at::empty(sizes, at::kDouble), new_bound = at::zeros(sizes, at::kDouble);
  for (std::int64_t r = 0; r < new_value.numel(); ++r) {
    std::vector<Pair> row(static_cast<std::size_t>(length));
    for (std::int64_t i = 0; i < length; ++i) {
      const double d = bound.defined() ? bound.const_data_ptr<double>()[r * length + i] : 0.0;
      row[static_cast<std::size_t>(i)] = {value.const_data_ptr<double>()[r * length + i], d};
    }
    const Pair y = formula(row);
    new_value.mutable_data_ptr<double>()[r] = y.value;
    new_bound.mutable_data_ptr<double>()[r] = y.bound;
  }
  return {new_value, without_zeros(new_bound), shown, false, true, nullptr};
}

std::vector<std::int64_t> sizes_of_result(const Call& call) {
  return call.run([](const PairTensor& pair) { return pair.value.scalar_type() == at::kDouble ? pair.value : pair.value.to(at::kDouble); })[0]
      .sizes()
      .vec();
}

using RowFormula = std::vector<Pair> (*)(const std::vector<Pair>& row, const Step& step);
using RowBackward = std::vector<Pair> (*)(const std::vector<Pair>& grad, const std::vector<Pair>& output, const Step& step);

PairTensor map_rows(const Call& call, RowFormula formula, at::ScalarType shown) {
  const PairTensor self = consumed(call.pair(0), call.pair(0).shown, call.context());
  const Step& step = call.context().precision(shown).step;
  const Rows input(self, wrapped_dim(self, call.argument(1).toInt()));
  Rows output(input, shown);
  for (std::int64_t r = 0; r < input.count(); ++r) {
    const std::vector<Pair> row = formula(input.row(r), step);
    for (std::size_t i = 0; i < row.size(); ++i) output.set(r, static_cast<std::int64_t>(i), row[i]);
  }
  return output.tensor();
}

Rule along_rows(RowFormula formula) {
  return [formula](const Call& call) -> std::vector<PairTensor> {
    const bool half_to_float = call.argument(2).toBool();
    return {map_rows(call, formula, half_to_float ? at::kFloat : call.pair(0).shown)};
  };
}

// (grad_output, output, dim, input_dtype)
Rule backward_along_rows(RowBackward formula) {
  return [formula](const Call& call) -> std::vector<PairTensor> {
    const PairTensor grad = consumed(call.pair(0), call.pair(0).shown, call.context());
    const PairTensor saved = consumed(call.pair(1), call.pair(1).shown, call.context());
    const auto shown = static_cast<at::ScalarType>(call.argument(3).toInt());
    const Step& step = call.context().precision(grad.shown).step;
    const std::int64_t dim = wrapped_dim(grad, call.argument(2).toInt());
    const Rows grads(grad, dim), outputs(saved, dim);
    Rows result(grads, shown);
    for (std::int64_t r = 0; r < grads.count(); ++r) {
      const std::vector<Pair> row = formula(grads.row(r), outputs.row(r), step);
      for (std::size_t i = 0; i < row.size(); ++i) result.set(r, static_cast<std::int64_t>(i), row[i]);
    }
    return {result.tensor()};
  };
}

std::vector<Pair> flat_pairs(const PairTensor& pair) {
  if (!pair.value.defined()) return {};
  PairTensor flat = pair;
  flat.value = pair.value.reshape({-1});
  if (pair.bound.defined()) flat.bound = pair.bound.reshape({-1});
  return flat.value.numel() == 0 ? std::vector<Pair>() : Rows(flat, 0).row(0);
}

PairTensor from_pairs(const std::vector<Pair>& pairs, at::IntArrayRef sizes, at::ScalarType shown) {
  at::Tensor value = at::empty(sizes, at::kDouble), bound = at::empty(sizes, at::kDouble);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    value.mutable_data_ptr<double>()[i] = pairs[i].value;
    bound.mutable_data_ptr<double>()[i] = pairs[i].bound;
  }
  return {value, without_zeros(bound), shown, false, true, nullptr};
}

std::vector<Pair> consumed_pairs(const Call& call, std::size_t i) {
  const at::Tensor tensor = call.tensor(i);
  return tensor.defined() ? flat_pairs(consumed(unwrap(tensor), tensor.scalar_type(), call.context())) : std::vector<Pair>();
}

std::span<const Pair> slice_of(const std::vector<Pair>& pairs, std::size_t row, std::size_t length) {
  return std::span<const Pair>(pairs).subspan(row * length, length);
}

// native_layer_norm(input, normalized_shape, weight, bias, eps) -> (output, mean, rstd)
std::vector<PairTensor> run_layer_norm(const Call& call) {
  const at::Tensor input = call.tensor(0);
  const std::vector<std::int64_t> normalized = call.argument(1).toIntVector();
  const auto n = static_cast<std::size_t>(c10::multiply_integers(normalized));
  const std::size_t m = n == 0 ? 0 : static_cast<std::size_t>(input.numel()) / n;
  std::vector<std::int64_t> statistics = input.sizes().vec();
  std::fill(statistics.end() - static_cast<std::ptrdiff_t>(normalized.size()), statistics.end(), 1);
  // As the CPU: statistics in the parameters' dtype when that differs from the input's.
  const at::ScalarType statistics_shown = call.tensor(2).defined() ? call.tensor(2).scalar_type() : input.scalar_type();
  const Step& step = call.context().precision(input.scalar_type()).step;
  const std::vector<Pair> x = consumed_pairs(call, 0), weight = consumed_pairs(call, 2), bias = consumed_pairs(call, 3);
  std::vector<Pair> output, means, rstds;
  for (std::size_t r = 0; r < m; ++r) {
    const NormalisedRow row = layer_norm_row(slice_of(x, r, n), {weight, bias, call.argument(4).toDouble()}, step);
    output.insert(output.end(), row.output.begin(), row.output.end());
    means.push_back(row.mean);
    rstds.push_back(row.rstd);
  }
  return {from_pairs(output, input.sizes(), input.scalar_type()), from_pairs(means, statistics, statistics_shown),
          from_pairs(rstds, statistics, statistics_shown)};
}

// native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask)
std::vector<PairTensor> run_layer_norm_backward(const Call& call) {
  const at::Tensor input = call.tensor(1);
  const std::vector<std::int64_t> normalized = call.argument(2).toIntVector();
  const auto n = static_cast<std::size_t>(c10::multiply_integers(normalized));
  const std::size_t m = n == 0 ? 0 : static_cast<std::size_t>(input.numel()) / n;
  const Step& step = call.context().precision(input.scalar_type()).step;
  const std::vector<Pair> grad = consumed_pairs(call, 0), x = consumed_pairs(call, 1), mean = consumed_pairs(call, 3), rstd = consumed_pairs(call, 4);
  const std::vector<Pair> weight = consumed_pairs(call, 5);
  const at::Tensor statistics = call.tensor(4);
  const double scale_rounding =
      statistics.defined() && statistics.itemsize() < 4 ? call.context().precision(statistics.scalar_type()).step.output_unit : 0.0;
  const auto mask = call.argument(7).toBoolList();
  std::vector<Pair> grad_input, normal(x.size());
  for (std::size_t r = 0; r < m; ++r) {
    const auto row = layer_norm_backward_row(slice_of(grad, r, n), slice_of(x, r, n), {weight, mean[r], rstd[r], scale_rounding}, step);
    grad_input.insert(grad_input.end(), row.begin(), row.end());
    for (std::size_t i = r * n; i < (r + 1) * n; ++i) normal[i] = normalised(x[i], mean[r], rstd[r], step);
  }
  std::vector<Pair> grad_weight, grad_bias;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Pair> weight_terms, bias_terms;
    for (std::size_t r = 0; r < m; ++r) {
      weight_terms.push_back(multiply(grad[r * n + j], normal[r * n + j], step));
      bias_terms.push_back(grad[r * n + j]);
    }
    grad_weight.push_back(sum(weight_terms, step));
    grad_bias.push_back(sum(bias_terms, step));
  }
  const at::ScalarType parameters = call.tensor(5).defined() ? call.tensor(5).scalar_type() : input.scalar_type();
  std::vector<PairTensor> results(3);
  if (mask.get(0)) results[0] = from_pairs(grad_input, input.sizes(), input.scalar_type());
  if (mask.get(1)) results[1] = from_pairs(grad_weight, normalized, parameters);
  if (mask.get(2)) results[2] = from_pairs(grad_bias, normalized, parameters);
  return results;
}

}  // namespace

Rule softmax() { return along_rows(softmax_row); }
Rule log_softmax() { return along_rows(log_softmax_row); }
Rule softmax_backward() { return backward_along_rows(softmax_backward_row); }
Rule log_softmax_backward() { return backward_along_rows(log_softmax_backward_row); }
Rule layer_norm() { return run_layer_norm; }
Rule layer_norm_backward() { return run_layer_norm_backward; }

// logsumexp(self, dim, keepdim)
Rule logsumexp() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const at::ScalarType shown = at::isFloatingType(call.pair(0).shown) ? call.pair(0).shown : at::kFloat;
    const PairTensor self = consumed(call.pair(0), shown, call.context());
    const Step& step = call.context().precision(shown).step;
    return {reduce_rows(flattened(self, call.argument(1)), sizes_of_result(call), shown, [&](const auto& row) { return logsumexp_row(row, step); })};
  };
}

// var.correction(self, dim, correction, keepdim)
Rule variance() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const at::ScalarType shown = call.pair(0).shown;
    const PairTensor self = consumed(call.pair(0), shown, call.context());
    const Step& step = call.context().precision(shown).step;
    const double correction = call.argument(2).isNone() ? 1.0 : call.argument(2).toScalar().toDouble();
    return {reduce_rows(flattened(self, call.argument(1)), sizes_of_result(call), shown,
                        [&](const auto& row) { return variance_row(row, correction, step).variance; })};
  };
}

// prod(self, dtype) and prod.dim_int(self, dim, keepdim, dtype)
Rule product() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const at::ScalarType own = call.pair(0).shown;
    const at::ScalarType shown = call.dtype_or(own);
    if (!at::isFloatingType(shown)) return plain()(call);
    const PairTensor self = consumed(call.pair(0), shown, call.context());
    const Step& step = call.context().precision(shown).step;
    const c10::IValue dims = call.index_of("dim") < 0 ? c10::IValue() : c10::IValue(std::vector<std::int64_t>{call.argument(1).toInt()});
    return {reduce_rows(flattened(self, dims), sizes_of_result(call), shown, [&](const auto& row) { return product_row(row, step); })};
  };
}

}  // namespace neuroncheck::oracles
