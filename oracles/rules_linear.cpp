#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/number_format.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What turns sums of magnitudes into bounds, for one result.
struct SumBound {
  double relative = 0.0;  // of the sum of magnitudes
  double absolute = 0.0;
  double exact_limit = 0.0;  // sums of magnitudes up to here are exact
  double largest = 0.0;
};

PairTensor bounded_sum(const at::Tensor& result, const at::Tensor& magnitudes, const at::Tensor& plain_magnitudes, const SumBound& rule) {
  const at::Tensor value = result.contiguous(), all = magnitudes.contiguous().abs();  // a divisor may be negative
  const at::Tensor plain = plain_magnitudes.defined() ? plain_magnitudes.contiguous().abs() : all;
  at::Tensor bound = at::empty_like(value);
  const double *v = value.const_data_ptr<double>(), *a = all.const_data_ptr<double>(), *p = plain.const_data_ptr<double>();
  double* d = bound.mutable_data_ptr<double>();
  bool any = false;
  for (std::int64_t i = 0; i < value.numel(); ++i) {
    // The difference of two sums loses a few of their last bits.
    const double carried = a[i] == p[i] ? 0.0 : (a[i] - p[i]) + a[i] * 0x1p-48;
    const bool exact = carried == 0.0 && a[i] <= rule.exact_limit;
    double own = exact ? 0.0 : rule.relative * a[i] + rule.absolute;
    if (a[i] > rule.largest) own = kInfinity;
    d[i] = std::isfinite(v[i]) ? settle(v[i], carried + own, 1.0).bound : settle(v[i], carried, carried).bound;
    any = any || d[i] != 0.0;
  }
  return {value, any ? bound : at::Tensor(), at::kDouble, false, true, nullptr};
}

bool any_infinite(const at::Tensor& contiguous) {
  const double* v = contiguous.const_data_ptr<double>();
  return std::any_of(v, v + contiguous.numel(), [](double x) { return std::isinf(x); });
}

// Beside an infinite term, finite ones may overflow on their own, to the other infinity: then the sum is NaN in some orders.
void doubt_infinities(PairTensor& sum, const at::Tensor& finite_magnitudes, double largest) {
  const at::Tensor doubtful = sum.value.isinf().logical_and(finite_magnitudes.gt(largest));
  if (!doubtful.any().item<bool>()) return;
  const at::Tensor bound = sum.bound.defined() ? sum.bound : at::zeros_like(sum.value);
  sum.bound = bound.masked_fill(doubtful, kInfinity);
}

double lowest_bit_of(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.is_non_overlapping_and_dense() ? tensor : tensor.contiguous();
  const double* v = flat.const_data_ptr<double>();
  double lowest = kInfinity;
  for (std::int64_t i = 0; i < flat.numel() && lowest > 0.0; ++i) lowest = std::min(lowest, lowest_bit(v[i]));
  return lowest;
}

// The arguments of a linear call, consumed, in the order of Call::tensors().
struct LinearInputs {
  std::vector<PairTensor> tensors;
  std::vector<double> granule_of_argument;  // by position; infinity for what is no factor
  bool bounded = false;
  at::ScalarType shown = at::kFloat;
};

bool any_floating(const Call& call) {
  for (const at::Tensor& tensor : call.tensors()) {
    if (at::isFloatingType(tensor.scalar_type())) return true;
  }
  return false;
}

// Tensors in lists are indices: they pass as they are.
void add_indices(const c10::IValue& list, LinearInputs& inputs) {
  for (const c10::IValue& element : list.toListRef()) {
    if (element.isTensor() && element.toTensor().defined()) inputs.tensors.push_back(unwrap(element.toTensor()));
  }
}

LinearInputs consume_all(const Call& call, const Linear& row) {
  LinearInputs result;
  const bool floating = any_floating(call);
  std::vector<int> promoting;
  for (std::size_t i = 0; i < call.arguments().size(); ++i) {
    const at::Tensor tensor = call.tensor(i);
    if (tensor.defined() && (!floating || at::isFloatingType(tensor.scalar_type()))) promoting.push_back(static_cast<int>(i));
  }
  result.shown = call.dtype_or(call.promoted(promoting));
  result.granule_of_argument.assign(call.arguments().size(), kInfinity);
  for (std::size_t i = 0; i < call.arguments().size(); ++i) {
    if (call.is_scalar(i)) result.granule_of_argument[i] = lowest_bit(call.argument(i).toScalar().toDouble());
    if (call.argument(i).isList()) add_indices(call.argument(i), result);
    const at::Tensor tensor = call.tensor(i);
    if (!tensor.defined()) continue;
    PairTensor& input = result.tensors.emplace_back(unwrap(tensor));
    const bool is_fixed = std::find(row.fixed.begin(), row.fixed.end(), static_cast<int>(i)) != row.fixed.end();
    if (floating && !at::isFloatingType(input.shown)) continue;
    if (is_fixed) {
      input.bound = at::Tensor();
      continue;
    }
    input = consumed(input, result.shown, call.context());
    result.bounded = result.bounded || input.bound.defined();
    result.granule_of_argument[i] = lowest_bit_of(input.value);
  }
  return result;
}

// The power of two that divides every term.
double granule_of(const LinearInputs& inputs, const Linear::Monomials& monomials) {
  double granule = kInfinity;
  for (const std::vector<int>& factors : monomials) {
    double product = 1.0;
    for (const int factor : factors) product *= inputs.granule_of_argument[static_cast<std::size_t>(factor)];
    if (!std::isnan(product)) granule = std::min(granule, product);
  }
  return granule;
}

std::vector<c10::IValue> absolute_scalars(const Call& call) {
  std::vector<c10::IValue> arguments = call.arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (call.is_scalar(i)) arguments[i] = std::abs(arguments[i].toScalar().toDouble());
  }
  return arguments;
}

SumBound sum_bound(const Call& call, const Linear& row, const LinearInputs& inputs, std::pair<double, const Linear::Monomials*> kind) {
  const auto& [terms, monomials] = kind;
  const Step& step = call.context().precision(inputs.shown).step;
  const bool flushes = call.context().profile().flush_outputs != FlushPolicy::keep;
  const bool products = std::any_of(monomials->begin(), monomials->end(), [](const auto& factors) { return factors.size() > 1; });
  SumBound bound;
  bound.relative = summation_error(step, static_cast<std::size_t>(terms));
  bound.absolute = (products || flushes) && terms > 0.0 ? terms * step.tiny : 0.0;
  bound.exact_limit = exact_limit(step, granule_of(inputs, *monomials));
  bound.largest = step.largest;
  if (row.divisor == nullptr) return bound;
  const double divisor = row.divisor(call, terms);
  // The magnitudes are divided as well. Division, or multiplication with the rounded reciprocal, of the sum or of its terms: two roundings more,
  // none where the divisor is a power of two.
  bound.largest /= divisor > 0.0 ? divisor : terms;
  bound.exact_limit = is_power_of_two(divisor) ? bound.exact_limit / divisor : 0.0;
  bound.relative += is_power_of_two(divisor) ? 0.0 : 2.0 * step.unit;
  bound.absolute += (terms + 1.0) * step.tiny;
  return bound;
}

std::vector<at::Tensor> finite_of(std::vector<at::Tensor> magnitudes) {
  for (at::Tensor& tensor : magnitudes) {
    if (tensor.scalar_type() == at::kDouble) tensor = tensor.nan_to_num(0.0, 0.0, 0.0);
  }
  return magnitudes;
}

std::vector<PairTensor> run_linear(const Call& call, const Linear& row) {
  const LinearInputs inputs = consume_all(call, row);
  if (!at::isFloatingType(inputs.shown)) return plain()(call);
  std::vector<at::Tensor> values, magnitudes, plain_magnitudes;
  for (const PairTensor& input : inputs.tensors) {
    const bool factor = input.value.scalar_type() == at::kDouble;
    values.push_back(input.value);
    magnitudes.push_back(factor ? magnitude(input) : input.value);
    plain_magnitudes.push_back(factor && input.bound.defined() ? input.value.abs() : magnitudes.back());
  }
  const auto results = call.run_on(values);
  const std::vector<c10::IValue> absolute = absolute_scalars(call);
  const auto sums = call.run_on(magnitudes, absolute);
  const auto plain_sums = inputs.bounded ? call.run_on(plain_magnitudes, absolute) : std::vector<at::Tensor>(sums.size());
  const std::vector<double> terms = row.terms(call, results);
  std::vector<PairTensor> pairs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].defined()) {
      pairs.emplace_back();
      continue;
    }
    const Linear::Monomials& monomials = row.monomials[std::min(i, row.monomials.size() - 1)];
    const SumBound bound = sum_bound(call, row, inputs, {terms[std::min(i, terms.size() - 1)], &monomials});
    pairs.push_back(bounded_sum(results[i], sums[i], plain_sums[i], bound));
    if (any_infinite(pairs.back().value)) doubt_infinities(pairs.back(), call.run_on(finite_of(magnitudes), absolute)[i], bound.largest);
    pairs.back().shown = inputs.shown;
  }
  return pairs;
}

}  // namespace

Rule linear(Linear row) {
  return [row = std::move(row)](const Call& call) { return run_linear(call, row); };
}

}  // namespace neuroncheck::oracles
