// Formulas along rows, written once over pairs (oracles.md 3.2, 3.3, 3.5).
#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>

#include <algorithm>
#include <cmath>

#include "oracles/row_formulas.h"
#include "oracles/row_parts.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

std::int64_t wrapped_dim(const PairTensor& self, std::int64_t dim) { return at::maybe_wrap_dim(dim, self.value.dim()); }

using RowFormula = std::vector<Pair> (*)(const std::vector<Pair>& row, const Step& step);
using RowBackward = std::vector<Pair> (*)(const std::vector<Pair>& grad, const std::vector<Pair>& output, const Step& step);

PairTensor map_rows(const Call& call, RowFormula formula, at::ScalarType shown) {
  const PairTensor self = consumed(call.pair(0), call.pair(0).shown, call.context());
  const Step& step = call.context().precision(shown).step;
  const Rows input(self, wrapped_dim(self, call.argument(1).toInt()));
  Rows output(input, shown);
  for (std::int64_t r = 0; r < input.count(); ++r) {
    const std::vector<Pair> row = formula(input.row(r), step);
    output.set_row(r, row);
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
      result.set_row(r, row);
    }
    return {result.tensor()};
  };
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

// prod(self, dtype) and prod.dim_int(self, dim, keepdim, dtype)
Rule product() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const at::ScalarType own = call.pair(0).shown;
    const at::ScalarType shown = call.dtype_or(own);
    if (!at::isFloatingType(shown)) return plain()(call);
    const PairTensor self = consumed(call.pair(0), shown, call.context());
    const Step& step = call.context().precision(shown).step;
    const c10::IValue* dim = call.named("dim");
    return {reduce_rows(flattened(self, dim == nullptr ? c10::IValue() : *dim), sizes_of_result(call), shown,
                        [&](const auto& row) { return product_row(row, step); })};
  };
}

}  // namespace neuroncheck::oracles
