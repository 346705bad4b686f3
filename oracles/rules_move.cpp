#include <ATen/ATen.h>
#include <ATen/native/TypeProperties.h>

#include <cmath>
#include <limits>

#include "harness/number_format.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_number(const c10::IValue& argument) { return argument.isDouble() || argument.isInt() || argument.isBool(); }

// Scalars that become elements are rounded to the dtype that shows them, since nothing else fits into it.
std::vector<c10::IValue> with_scalars(const Call& call, const std::function<double(double)>& of) {
  std::vector<c10::IValue> arguments = call.arguments();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (call.is_scalar(i) && is_number(arguments[i])) arguments[i] = of(arguments[i].toScalar().toDouble());
  }
  return arguments;
}

at::ScalarType shown_of_move(const Call& call) {
  const c10::IValue& first = call.argument(0);
  if (!first.isTensorList()) return call.dtype_or(first.toTensor().scalar_type());
  return at::native::result_type(first.toTensorVector());
}

const PairTensor* aliased(const std::vector<PairTensor>& inputs, const at::Tensor& value) {
  for (const PairTensor& input : inputs) {
    if (input.companion && input.value.storage().is_alias_of(value.storage())) return &input;
  }
  return nullptr;
}

at::Tensor bound_as_argument(const PairTensor& pair) {
  if (pair.bound.defined()) return pair.bound;
  return at::isFloatingType(pair.shown) ? at::zeros_like(pair.value) : pair.value;
}

bool index_is_ambiguous(const std::vector<PairTensor>& inputs, bool first_is_list) {
  for (std::size_t i = 1; i < inputs.size() && !first_is_list; ++i) {
    if (!at::isFloatingType(inputs[i].shown) && inputs[i].bound.defined()) return true;
  }
  return false;
}

std::vector<PairTensor> run_move(const Call& call) {
  std::vector<PairTensor> inputs;
  bool bounded = false, representable = true, narrowed = true;
  const at::ScalarType shown = shown_of_move(call);
  for (const at::Tensor& tensor : call.tensors()) {
    const PairTensor& input = inputs.emplace_back(unwrap(tensor));
    bounded = bounded || input.bound.defined();
    if (!at::isFloatingType(input.shown)) continue;
    representable = representable && input.representable && input.shown == shown;
    narrowed = narrowed && input.narrowed;
  }
  const bool floating = at::isFloatingType(shown);
  const auto round = [&](double x) { return floating ? round_to(*call.context().precision(shown).stored, x) : x; };
  const auto values = call.run([](const PairTensor& pair) { return pair.value; }, floating ? with_scalars(call, round) : call.arguments());
  std::vector<PairTensor> results;
  bool all_views = true;
  for (const at::Tensor& value : values) {
    PairTensor& result = results.emplace_back(PairTensor{value, {}, shown, representable, narrowed, nullptr});
    const PairTensor* base = value.has_storage() ? aliased(inputs, value) : nullptr;
    if (base != nullptr) result.companion = base->companion;
    all_views = all_views && base != nullptr;
    if (floating && value.scalar_type() != at::kDouble) result.value = value.to(at::kDouble);
  }
  if (!bounded || all_views) return results;
  if (index_is_ambiguous(inputs, call.argument(0).isTensorList())) {
    for (PairTensor& result : results) result.bound = at::full(result.value.sizes(), kInfinity, at::kDouble);
    return results;
  }
  const auto bounds = call.run(bound_as_argument, with_scalars(call, [](double) { return 0.0; }));
  for (std::size_t i = 0; i < results.size(); ++i) results[i].bound = without_zeros(bounds[i].to(at::kDouble));
  return results;
}

// Both ways to a 16-bit format are legal, direct and through float32, as torch's own CPU kernels go.
Pair cast_to_floating(Pair a, const NumberFormat& format) {
  const auto direct = [&](double x) { return round_to(format, x); };
  const auto twice = [&](double x) { return round_to(format, round_to(format_of(Dtype::float32), x)); };
  const double value = direct(a.value);
  if (std::isnan(value)) return {value, a.bound};
  double change = monotone_change(a, value, direct);
  if (format.precision < 24 && std::isfinite(value)) {
    change = std::max({change, std::abs(twice(a.value) - value), monotone_change(a, value, twice)});
  }
  return {value, change};
}

Pair cast_to_integer(Pair a, at::ScalarType to) {
  if (to == at::kBool) return {a.value != 0.0 ? 1.0 : 0.0, a.bound > 0.0 && std::abs(a.value) <= a.bound ? 1.0 : 0.0};
  const double bits = static_cast<double>(c10::elementSize(to)) * 8.0;
  const double low = to == at::kByte ? 0.0 : -std::ldexp(1.0, static_cast<int>(bits) - 1);
  const double high = std::ldexp(1.0, static_cast<int>(bits) - (to == at::kByte ? 0 : 1));
  const double value = std::trunc(a.value);
  const bool defined = value - a.bound >= low && value + a.bound < high;  // outside, and for NaN, torch leaves the result undefined
  if (!defined) return {0.0, kInfinity};
  return {value, monotone_change(a, value, [](double x) { return std::trunc(x); })};
}

// Both parts are rounded to the format of the target; what is not complex has no imaginary part.
PairTensor cast_complex(const PairTensor& source, at::ScalarType to, Context& context) {
  if (!at::isComplexType(to)) {
    const at::Tensor real = at::real(source.value).contiguous();
    return cast_pair({real, source.bound, c10::toRealValueType(source.shown), false, false, nullptr}, to, context);
  }
  PairTensor parts = source;
  if (!source.value.is_complex()) parts = cast_pair(source, c10::toRealValueType(to), context);
  at::Tensor bound = parts.bound;
  if (context.precision(source.shown).computed->precision > context.precision(to).computed->precision) {
    const at::Tensor rounding = parts.value.abs() * context.precision(to).computed->unit_roundoff();
    bound = bound.defined() ? bound + rounding : rounding;
  }
  return {parts.value.to(at::kComplexDouble), bound, to, false, true, nullptr};
}

}  // namespace

PairTensor cast_pair(const PairTensor& source, at::ScalarType to, Context& context) {
  if (source.shown == to) return source;
  if (at::isComplexType(source.shown) || at::isComplexType(to)) return cast_complex(source, to, context);
  const PairTensor input = consumed(source, source.shown, context);
  const bool floating = at::isFloatingType(to);
  const NumberFormat* format = floating ? context.precision(to).computed : nullptr;
  return map_pairs(input, to, [&](Pair a) { return floating ? cast_to_floating(a, *format) : cast_to_integer(a, to); });
}

PairTensor as_seen(PairTensor pair, Context& context) {
  pair.value = pair.value.to(at::kDouble);
  if (!at::isFloatingType(pair.shown) || pair.narrowed) return pair;
  const Precision& precision = context.precision(pair.shown);
  if (precision.stored == precision.computed) return pair;
  const PairTensor bare{pair.value, {}, pair.shown, true, false, nullptr};
  pair.value = map_pairs(bare, pair.shown, [&](Pair a) { return Pair{round_to(*precision.computed, a.value), 0.0}; }).value;
  pair.narrowed = true;
  return pair;
}

Rule move() { return run_move; }

Rule creation() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const at::ScalarType shown = call.dtype_or(call.argument(0).toTensor().scalar_type());
    const bool floating = at::isFloatingType(shown);
    const auto round = [&](double x) { return round_to(*call.context().precision(shown).stored, x); };
    const auto values = call.run([](const PairTensor& pair) { return pair.value; }, floating ? with_scalars(call, round) : call.arguments());
    return {{floating ? values[0].to(at::kDouble) : values[0], {}, shown, true, false, nullptr}};
  };
}

// _to_copy(self, *, dtype, ...).
Rule cast() {
  return [](const Call& call) -> std::vector<PairTensor> {
    PairTensor source = call.pair(0);
    const at::ScalarType to = call.dtype_or(source.shown);
    if (source.shown == to) return run_move(call);
    const bool exact = !carries_a_bound(source.shown) && !carries_a_bound(to) && !source.bound.defined();
    if (exact) {
      return {{source.value.to(to), {}, to, true, true, nullptr}};
    }
    return {cast_pair(source, to, call.context())};
  };
}

// copy(self, src): src in the dtype and sizes of self.
Rule copy() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const PairTensor self = call.pair(0);
    PairTensor source = call.pair(1);
    source.companion = nullptr;
    const bool integers = !carries_a_bound(self.shown) && !carries_a_bound(source.shown) && !source.bound.defined();
    if (integers) {
      source.value = source.value.to(self.shown);
      source.shown = self.shown;
    } else if (source.shown != self.shown) {
      source = cast_pair(source, self.shown, call.context());
    }
    source.value = source.value.expand(self.value.sizes()).clone();
    if (source.bound.defined()) source.bound = source.bound.expand(self.value.sizes()).contiguous();
    return {source};
  };
}

}  // namespace neuroncheck::oracles
