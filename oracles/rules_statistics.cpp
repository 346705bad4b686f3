// Moments, lengths and scans along rows; the formulas are in row_formulas, row_norms and row_scans.
#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>

#include <limits>

#include "oracles/row_formulas.h"
#include "oracles/row_norms.h"
#include "oracles/row_parts.h"
#include "oracles/row_rules.h"
#include "oracles/row_scans.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

NormKind norm_kind(const Call& call) {
  const c10::IValue& power = call.argument(1);
  const Precision& precision = call.context().precision(call.dtype_or(call.pair(0).shown));
  return {power.isNone() ? 2.0 : power.toScalar().toDouble(), call.context().function_error("sqrt", precision),
          call.context().function_error("pow", precision)};
}

Pair moment_of(const Moments& moments, Moment moment, double sqrt_error, const Step& step) {
  switch (moment) {
    case Moment::mean:
      return moments.mean;
    case Moment::variance:
      return moments.variance;
    case Moment::deviation:
      return root(moments.variance, sqrt_error, step);
  }
  throw std::logic_error("moment_of: unknown moment");
}

using Scan = std::vector<Pair> (*)(std::span<const Pair> row, const Step& step);

Rule scan(Scan formula) {
  return [formula](const Call& call) -> std::vector<PairTensor> {
    const at::ScalarType shown = call.dtype_or(call.pair(0).shown);
    if (!at::isFloatingType(shown)) return plain()(call);
    const PairTensor self = consumed(call.pair(0), shown, call.context());
    const Step& step = call.context().precision(shown).step;
    const Rows input(self, at::maybe_wrap_dim(call.argument(1).toInt(), self.value.dim()));
    Rows output(input, shown);
    for (std::int64_t r = 0; r < input.count(); ++r) {
      const std::vector<Pair> row = formula(input.row(r), step);
      output.set_row(r, row);
    }
    return {output.tensor()};
  };
}

// The op on plain tensors; a result that a value in doubt may change is unknown.
std::vector<PairTensor> run_unknown_where_bounded(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  if (!at::isFloatingType(shown)) return plain()(call);
  const PairTensor self = consumed(call.pair(0), shown, call.context());
  std::vector<PairTensor> results;
  for (const at::Tensor& value : call.run([&](const PairTensor&) { return self.value; })) {
    const bool is_index = value.scalar_type() != at::kDouble;
    PairTensor& result = results.emplace_back(PairTensor{value, {}, is_index ? value.scalar_type() : shown, true, true, nullptr});
    if (self.bound.defined()) result.bound = at::full(value.sizes(), kInfinity, at::kDouble);
  }
  return results;
}

}  // namespace

Rule moments(std::vector<Moment> results) {
  return [results = std::move(results)](const Call& call) {
    const at::ScalarType shown = call.pair(0).shown;
    const PairTensor self = flattened(consumed(call.pair(0), shown, call.context()), call.argument(1));
    const Precision& precision = call.context().precision(shown);
    const double correction = call.argument(2).isNone() ? 1.0 : call.argument(2).toScalar().toDouble();
    const double sqrt_error = call.context().function_error("sqrt", precision);
    const std::vector<std::int64_t> sizes = sizes_of_result(call);
    const std::vector<Pair> all = flat_pairs(self);
    std::vector<Moments> rows(static_cast<std::size_t>(c10::multiply_integers(sizes)));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto row = slice_of(all, r, static_cast<std::size_t>(self.value.size(-1)));
      rows[r] = variance_row(row, correction, precision.step);
      // Welford's updates subtract an infinity from itself: NaN is as legal as the infinity that the sum has.
      if (std::ranges::any_of(row, [](const Pair& x) { return std::isinf(x.value); })) rows[r].mean.bound = kInfinity;
    }
    std::vector<PairTensor> tensors;
    for (const Moment moment : results) {
      std::vector<Pair> pairs;
      for (const Moments& row : rows) pairs.push_back(moment_of(row, moment, sqrt_error, precision.step));
      tensors.push_back(from_pairs(pairs, sizes, shown));
    }
    return tensors;
  };
}

Rule vector_norm() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const at::ScalarType shown = call.dtype_or(call.pair(0).shown);
    const PairTensor self = consumed(call.pair(0), shown, call.context());
    const Step& step = call.context().precision(shown).step;
    const c10::IValue* dims = call.named("dim");
    const NormKind kind = norm_kind(call);
    return {reduce_rows(flattened(self, dims == nullptr ? c10::IValue() : *dims), sizes_of_result(call), shown,
                        [&](const auto& row) { return norm_row(row, kind, step); })};
  };
}

Rule renorm() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const at::ScalarType shown = call.pair(0).shown;
    const PairTensor self = consumed(call.pair(0), shown, call.context());
    const Step& step = call.context().precision(shown).step;
    const NormKind kind = norm_kind(call);
    const double largest = call.argument(3).toScalar().toDouble();
    // What belongs to one index of `dim`, as a row.
    const std::int64_t dim = at::maybe_wrap_dim(call.argument(2).toInt(), self.value.dim());
    const at::Tensor value = self.value.movedim(dim, 0).contiguous();
    PairTensor first = self;
    first.value = value.reshape({value.size(0), value.size(0) == 0 ? 0 : value.numel() / value.size(0)});
    if (self.bound.defined()) first.bound = self.bound.movedim(dim, 0).reshape(first.value.sizes());
    const Rows input(first, 1);
    Rows output(input, shown);
    for (std::int64_t r = 0; r < input.count(); ++r) {
      const std::vector<Pair> row = renorm_row(input.row(r), kind, largest, step);
      output.set_row(r, row);
    }
    PairTensor result = output.tensor();
    const auto back = [&](const at::Tensor& tensor) { return tensor.reshape(value.sizes()).movedim(0, dim).contiguous(); };
    result.value = back(result.value);
    if (result.bound.defined()) result.bound = back(result.bound);
    return {result};
  };
}

Rule cumulative_product() { return scan(cumulative_product_row); }
Rule logcumsumexp() { return scan(logcumsumexp_row); }
Rule mode() { return run_unknown_where_bounded; }

}  // namespace neuroncheck::oracles
