#include <algorithm>
#include <cmath>

#include "oracles/element_parts.h"

namespace neuroncheck::oracles::functions {
namespace {

// Whether a may be smaller than, and larger than, b.
struct Order {
  bool may_be_less, may_be_equal, may_be_greater, nan;
};

Order compare(Pair a, Pair b) {
  if (std::isnan(a.value) || std::isnan(b.value)) return {false, false, false, true};
  if (a.bound == 0.0 && b.bound == 0.0) return {a.value<b.value, a.value == b.value, a.value> b.value, false};
  const bool less = a.value - a.bound<b.value + b.bound, greater = a.value + a.bound> b.value - b.bound;
  return {less, a.value - a.bound <= b.value + b.bound && a.value + a.bound >= b.value - b.bound, greater, false};
}

// Of a NaN and a number the number, else what `pick` makes of both.
Pair of_numbers(const Pair* x, const Element& element, ElementFunction pick) {
  const bool unknown = x[0].bound == kUnknown || x[1].bound == kUnknown;
  if (std::isnan(x[0].value)) return {x[1].value, unknown ? kUnknown : x[1].bound};
  if (std::isnan(x[1].value)) return {x[0].value, unknown ? kUnknown : x[0].bound};
  return pick(x, element);
}

bool same_sign(double a, double b) { return (a < 0.0) == (b < 0.0); }

// parameter[0] * x1 or parameter[0] * x2, formed first as torch's kernels do.
bool multiplier_overflows(const Pair* x, const Element& element) {
  const double scale = element.parameter[0];
  return overflows_between({x[1].value, scale}, scale * x[1].value, element.step) ||
         overflows_between({x[2].value, scale}, scale * x[2].value, element.step);
}

double remainder_of(double a, double b) {
  const double r = std::fmod(a, b);
  return r != 0.0 && !same_sign(r, b) ? r + b : r;
}

// `value` is the remainder after division, `whole` makes an integer of the quotient. Exact for exact operands.
template <typename Whole>
Pair remainder_by(const Pair* x, const Element& element, double value, Whole whole) {
  const double quotient = x[0].value / x[1].value;
  // Devices go by the quotient, and CPU's vectorised fmod gives NaN as well where it overflows.
  if (std::isfinite(value) && std::isfinite(x[1].value) && std::abs(quotient) > element.step.largest) return {value, kUnknown};
  if (x[0].bound + x[1].bound == 0.0) return {value, 0.0};
  const double divisor = std::abs(x[1].value) - x[1].bound;
  if (x[1].bound > 0.0 && !(divisor > 0.0)) return {value, kUnknown};  // the divisor may be zero
  const double spread = (x[0].bound + std::abs(quotient) * x[1].bound) / divisor;
  const bool jumps = !(whole(quotient - spread) == whole(quotient + spread));
  const double carried = x[0].bound + (std::abs(quotient) + 1.0) * x[1].bound;
  return rounded_once(settle(value, carried + (jumps ? std::abs(x[1].value) : 0.0), 1.0), element.step);
}

// torch's div_floor: the sign of zero as CPU's.
double floor_quotient(double a, double b) {
  if (b == 0.0) return a / b;
  const double r = std::fmod(a, b);
  double quotient = (a - r) / b;
  if (r != 0.0 && !same_sign(r, b)) quotient -= 1.0;
  if (quotient == 0.0) return std::copysign(0.0, a / b);
  const double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1.0 : floored;
}

}  // namespace

Pair add(const Pair* x, const Element& element) {
  const double alpha = element.parameter[0];
  const Pair scaled{alpha * x[1].value, std::abs(alpha) * x[1].bound};
  Pair result = exact_sum(x[0], scaled);
  // alpha * x1 is rounded, or not when fused; alpha itself may be rounded to the accumulate dtype (parameter[1]: its relative error).
  const double scaling = std::abs(alpha) == 1.0 ? 0.0 : element.step.unit + element.parameter[1];
  if (std::isfinite(result.value) && scaling > 0.0) result.bound += scaling * std::abs(scaled.value) + element.step.tiny;
  if (overflows_between({x[1].value, alpha}, scaled.value, element.step)) return {result.value, kUnknown};
  return rounded_once(result, element.step);
}

Pair reverse_subtract(const Pair* x, const Element& element) {
  const Pair swapped[2] = {x[1], x[0]};
  return add(swapped, element);
}

Pair multiply(const Pair* x, const Element& element) { return rounded_once(exact_product(x[0], x[1]), element.step); }

Pair divide(const Pair* x, const Element& element) {
  Pair result = exact_quotient(x[0], x[1]);
  // A profile may allow division more than the one rounding (OpenCL: 2.5 ulp).
  if (element.error > 0.0 && std::isfinite(result.value)) result.bound += element.error * std::abs(result.value);
  return rounded_once(result, element.step);
}

Pair divide_truncating(const Pair* x, const Element& element) {
  const Pair quotient = divide(x, element);
  // An exact quotient just below an integer may have been rounded to it first.
  const double slack = element.step.unit * std::abs(quotient.value);
  const Pair wide{quotient.value, quotient.bound + slack};
  const double nearest = std::nearbyint(quotient.value);
  const bool safe = quotient.bound == 0.0 && (quotient.value == nearest || std::abs(quotient.value - nearest) > slack);
  return safe ? Pair{std::trunc(quotient.value), 0.0} : monotone(wide, [](double q) { return std::trunc(q); });
}

Pair square_root(const Pair* x, const Element& element) {
  Pair result = monotone(x[0], [](double a) { return std::sqrt(a); });
  if (element.error > 0.0 && std::isfinite(result.value)) result.bound += element.error * result.value;
  return rounded_once(result, element.step);
}

Pair reciprocal(const Pair* x, const Element& element) {
  const Pair quotient[2] = {{1.0, 0.0}, x[0]};
  return divide(quotient, element);
}

Pair negate(const Pair* x, const Element&) { return {-x[0].value, x[0].bound}; }
Pair absolute(const Pair* x, const Element&) { return {std::abs(x[0].value), x[0].bound}; }

Pair relu(const Pair* x, const Element&) {
  return monotone(x[0], [](double a) { return a > 0.0 || std::isnan(a) ? a : 0.0; });
}

Pair maximum(const Pair* x, const Element&) {
  if (std::isnan(x[0].value)) return x[0];
  if (std::isnan(x[1].value)) return x[1];
  const double value = std::max(x[0].value, x[1].value);
  const double high = std::max(x[0].value + x[0].bound, x[1].value + x[1].bound);
  const double low = std::max(x[0].value - x[0].bound, x[1].value - x[1].bound);
  if (x[0].bound + x[1].bound == 0.0) return {value, 0.0};
  return settle(value, std::max(high - value, value - low), x[0].bound + x[1].bound);
}

Pair minimum(const Pair* x, const Element& element) {
  const Pair negated[2] = {negate(x, element), negate(x + 1, element)};
  const Pair result = maximum(negated, element);
  return {-result.value, result.bound};
}

Pair choose(const Pair* x, const Element&) {
  const Pair chosen = x[0].value != 0.0 ? x[1] : x[2];
  if (x[0].bound == 0.0) return chosen;
  const Pair other = x[0].value != 0.0 ? x[2] : x[1];
  return settle(chosen.value, std::max(chosen.bound, std::abs(chosen.value - other.value) + other.bound), 1.0);
}

Pair sign(const Pair* x, const Element&) {
  return monotone(x[0], [](double a) { return static_cast<double>((a > 0.0) - (a < 0.0)); });
}
Pair floor(const Pair* x, const Element&) {
  return monotone(x[0], [](double a) { return std::floor(a); });
}
Pair ceil(const Pair* x, const Element&) {
  return monotone(x[0], [](double a) { return std::ceil(a); });
}
Pair trunc(const Pair* x, const Element&) {
  return monotone(x[0], [](double a) { return std::trunc(a); });
}
Pair round(const Pair* x, const Element&) {
  return monotone(x[0], [](double a) { return std::nearbyint(a); });
}

Pair remainder(const Pair* x, const Element& element) {
  return remainder_by(x, element, remainder_of(x[0].value, x[1].value), [](double quotient) { return std::floor(quotient); });
}

Pair fmod(const Pair* x, const Element& element) {
  return remainder_by(x, element, std::fmod(x[0].value, x[1].value), [](double quotient) { return std::trunc(quotient); });
}

Pair floor_divide(const Pair* x, const Element& element) {
  const double value = floor_quotient(x[0].value, x[1].value);
  if (x[0].bound + x[1].bound == 0.0) {
    // Quotients beyond the accumulator's integers are not floored exactly: (a - fmod(a, b)) / b has three roundings.
    const bool exact = !(std::abs(value) > std::ldexp(1.0, element.step.precision - 2)) || !std::isfinite(value);
    return {value, exact ? 0.0 : 3.0 * element.step.unit * std::abs(value)};
  }
  const Pair quotient = exact_quotient(x[0], x[1]);
  const double low = std::floor(quotient.value - quotient.bound), high = std::floor(quotient.value + quotient.bound);
  return settle(value, std::max(std::abs(high - value), std::abs(low - value)), 1.0);
}

Pair frac(const Pair* x, const Element&) {
  const double value = x[0].value - std::trunc(x[0].value);
  const bool jumps = std::trunc(x[0].value - x[0].bound) != std::trunc(x[0].value + x[0].bound);
  return settle(value, x[0].bound + (jumps ? 1.0 : 0.0), x[0].bound);
}

Pair fmax(const Pair* x, const Element& element) { return of_numbers(x, element, maximum); }
Pair fmin(const Pair* x, const Element& element) { return of_numbers(x, element, minimum); }

Pair copysign(const Pair* x, const Element&) {
  const double value = std::copysign(x[0].value, x[1].value);
  const bool ambiguous = may_cross(x[1], 0.0);
  return ambiguous ? settle(value, 2.0 * std::abs(value) + x[0].bound, 1.0) : Pair{value, x[0].bound};
}

// start + weight * (end - start), or end - (1 - weight) * (end - start) as torch does from weight 0.5 on: with an infinite end they differ.
Pair lerp(const Pair* x, const Element& element) {
  const double start = x[0].value, end = x[1].value, weight = x[2].value;
  const double value = start + weight * (end - start), reach = std::abs(start) + std::abs(end);
  const bool is_nan = std::isnan(start) || std::isnan(end) || std::isnan(weight);
  if (!std::isfinite(start) || !std::isfinite(end) || !std::isfinite(weight)) return {value, is_nan ? 0.0 : kUnknown};
  if (reach * (1.0 + std::abs(weight)) > element.step.largest) return {value, kUnknown};
  const double carried =
      std::abs(1.0 - weight) * x[0].bound + std::abs(weight) * x[1].bound + (std::abs(end - start) + x[0].bound + x[1].bound) * x[2].bound;
  return settle(value, carried + 4.0 * element.step.unit * (1.0 + std::abs(weight)) * reach + 2.0 * element.step.tiny, 1.0);
}

Pair multiply_add(const Pair* x, const Element& element) {
  const Pair product = multiply(x + 1, Element{element.step, 0.0, {}});
  if (multiplier_overflows(x, element) || overflows_between({x[1].value, x[2].value}, product.value, element.step)) return {x[0].value, kUnknown};
  const Pair rounded{product.value, product.bound + element.step.unit * std::abs(product.value) + element.step.tiny};
  const Pair terms[2] = {x[0], rounded};
  return add(terms, element);
}

Pair divide_add(const Pair* x, const Element& element) {
  const Pair quotient = divide(x + 1, Element{element.step, 0.0, {}});
  const bool overflows = x[2].value != 0.0 && overflows_between({x[1].value, x[2].value}, quotient.value, element.step);
  if (overflows || multiplier_overflows(x, element)) return {x[0].value, kUnknown};
  const Pair rounded{quotient.value, quotient.bound + (2.0 * element.step.unit + element.error) * std::abs(quotient.value) + element.step.tiny};
  const Pair terms[2] = {x[0], rounded};
  return add(terms, element);
}

Pair equal(const Pair* x, const Element&) {
  const Order order = compare(x[0], x[1]);
  return truth(x[0].value == x[1].value, !order.nan && order.may_be_equal && (order.may_be_less || order.may_be_greater));
}

Pair not_equal(const Pair* x, const Element& element) {
  const Pair result = equal(x, element);
  return {1.0 - result.value, result.bound};
}

Pair less(const Pair* x, const Element&) {
  const Order order = compare(x[0], x[1]);
  return truth(x[0].value < x[1].value, order.may_be_less && (order.may_be_equal || order.may_be_greater));
}

Pair less_equal(const Pair* x, const Element&) {
  const Order order = compare(x[0], x[1]);
  return truth(x[0].value <= x[1].value, order.may_be_greater && (order.may_be_equal || order.may_be_less));
}

Pair greater(const Pair* x, const Element& element) {
  const Pair swapped[2] = {x[1], x[0]};
  return less(swapped, element);
}

Pair greater_equal(const Pair* x, const Element& element) {
  const Pair swapped[2] = {x[1], x[0]};
  return less_equal(swapped, element);
}

Pair logical_not(const Pair* x, const Element&) { return truth(x[0].value == 0.0, may_cross(x[0], 0.0)); }

Pair logical_and(const Pair* x, const Element& element) {
  const Pair no_a = logical_not(x, element), no_b = logical_not(x + 1, element);
  const bool surely_false = (no_a.value == 1.0 && no_a.bound == 0.0) || (no_b.value == 1.0 && no_b.bound == 0.0);
  return truth(no_a.value == 0.0 && no_b.value == 0.0, !surely_false && no_a.bound + no_b.bound > 0.0);
}

Pair logical_or(const Pair* x, const Element& element) {
  const Pair no_a = logical_not(x, element), no_b = logical_not(x + 1, element);
  const bool surely_true = (no_a.value == 0.0 && no_a.bound == 0.0) || (no_b.value == 0.0 && no_b.bound == 0.0);
  return truth(no_a.value == 0.0 || no_b.value == 0.0, !surely_true && no_a.bound + no_b.bound > 0.0);
}

Pair logical_xor(const Pair* x, const Element& element) {
  const Pair no_a = logical_not(x, element), no_b = logical_not(x + 1, element);
  return truth(no_a.value != no_b.value, no_a.bound + no_b.bound > 0.0);
}

Pair is_infinite(const Pair* x, const Element&) { return truth(std::isinf(x[0].value), x[0].bound == kUnknown); }
Pair is_positive_infinity(const Pair* x, const Element&) { return truth(x[0].value == kUnknown, x[0].bound == kUnknown); }
Pair is_negative_infinity(const Pair* x, const Element&) { return truth(x[0].value == -kUnknown, x[0].bound == kUnknown); }
Pair sign_bit(const Pair* x, const Element&) { return truth(std::signbit(x[0].value), may_cross(x[0], 0.0)); }
Pair is_nan(const Pair* x, const Element&) { return truth(std::isnan(x[0].value), x[0].bound == kUnknown); }

}  // namespace neuroncheck::oracles::functions
