#include "oracles/element_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace neuroncheck::oracles::functions {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kInverseSqrt2 = 0.70710678118654752440;
constexpr double kInverseSqrt2Pi = 0.39894228040143267794;

// The device rounds once, to the output dtype, when its operands are exact; unrounded operands of a fused op may meet one more rounding.
Pair rounded_once(Pair a, const Step& step) {
  if (a.bound > 0.0 && std::isfinite(a.value)) a.bound += step.unit * std::abs(a.value) + step.tiny;
  return a;
}

template <typename Function>
Pair monotone(Pair a, Function function) {
  const double value = function(a.value);
  return settle(value, monotone_change(a, value, function), a.bound);
}

// A monotone function with a relative error of its own, and an absolute one where it underflows in the middle.
template <typename Function>
Pair approximated(Pair a, const Element& element, Function function) {
  Pair result = monotone(a, function);
  if (!std::isfinite(result.value)) return result;
  result.bound += element.error * (std::abs(result.value) + result.bound);
  if (result.value != 0.0 && std::abs(result.value) < 2.0 * element.step.smallest) result.bound += element.step.smallest;
  return result;
}

Pair truth(bool value, bool ambiguous) { return {value ? 1.0 : 0.0, ambiguous ? 1.0 : 0.0}; }

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

double sigmoid_of(double x) { return x >= 0.0 ? 1.0 / (1.0 + std::exp(-x)) : std::exp(x) / (1.0 + std::exp(x)); }

double gelu_of(double x) { return 0.5 * x * std::erfc(-x * kInverseSqrt2); }

double tanh_argument(double x) { return std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x); }

double gelu_tanh_of(double x) { return 0.5 * x * (1.0 + std::tanh(tanh_argument(x))); }

double gelu_slope(double x) { return 0.5 * std::erfc(-x * kInverseSqrt2) + x * kInverseSqrt2Pi * std::exp(-0.5 * x * x); }

double gelu_tanh_slope(double x) {
  const double t = std::tanh(tanh_argument(x));
  const double inner = std::sqrt(2.0 / M_PI) * (1.0 + 3.0 * 0.044715 * x * x);
  return 0.5 * (1.0 + t) + (std::abs(t) == 1.0 && std::isfinite(x) ? 0.0 : 0.5 * x * (1.0 - t * t) * inner);
}

// The tanh form's 0.5 x (1 - t^2) inner: an error of t becomes twice that of 1 - t^2, whatever is left of it. Where the argument exceeds 10, every
// tanh is taken to have saturated.
double gelu_tanh_cancellation(double x, const Element& element) {
  const double inner = std::sqrt(2.0 / M_PI) * (1.0 + 3.0 * 0.044715 * x * x);
  const bool saturated = !(std::abs(tanh_argument(x)) < 10.0);
  return saturated ? 0.0 : 0.5 * std::abs(x) * inner * (2.0 * element.error + 2.0 * element.step.unit);
}

bool same_sign(double a, double b) { return (a < 0.0) == (b < 0.0); }

double remainder_of(double a, double b) {
  const double r = std::fmod(a, b);
  return r != 0.0 && !same_sign(r, b) ? r + b : r;
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

// A product or quotient that is added next: rounded by itself it is infinite, fused it is not, and both are legal.
bool overflows_between(std::initializer_list<double> operands, double between, const Step& step) {
  return std::abs(between) > step.largest && std::all_of(operands.begin(), operands.end(), [](double x) { return std::isfinite(x); });
}

bool is_small_integer(Pair exponent) {
  return exponent.bound == 0.0 && std::abs(exponent.value) <= 4.0 && exponent.value == std::floor(exponent.value);
}

}  // namespace

Pair add(const Pair* x, const Element& element) {
  const double alpha = element.parameter[0];
  const Pair scaled{alpha * x[1].value, std::abs(alpha) * x[1].bound};
  Pair result = exact_sum(x[0], scaled);
  // alpha * x1 is rounded, or not when fused; alpha itself may be rounded to the accumulate dtype (parameter[1]: its relative error).
  const double scaling = std::abs(alpha) == 1.0 ? 0.0 : element.step.unit + element.parameter[1];
  if (std::isfinite(result.value) && scaling > 0.0) result.bound += scaling * std::abs(scaled.value) + element.step.tiny;
  if (overflows_between({x[1].value, alpha}, scaled.value, element.step)) return {result.value, kInfinity};
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
  return monotone(x[0], [](double a) { return std::isnan(a) ? a : static_cast<double>((a > 0.0) - (a < 0.0)); });
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
  const double value = remainder_of(x[0].value, x[1].value);
  const double quotient = x[0].value / x[1].value;
  // Devices go by the quotient, and CPU's vectorised fmod gives NaN as well where it overflows.
  if (std::isfinite(value) && std::isfinite(x[1].value) && std::abs(quotient) > element.step.largest) return {value, kInfinity};
  if (x[0].bound + x[1].bound == 0.0) return {value, 0.0};
  const double divisor = std::abs(x[1].value) - x[1].bound;
  const double spread = divisor > 0.0 ? (x[0].bound + std::abs(quotient) * x[1].bound) / divisor : kInfinity;
  const bool jumps = !(std::floor(quotient - spread) == std::floor(quotient + spread));
  const double carried = x[0].bound + (std::abs(quotient) + 1.0) * x[1].bound;
  return rounded_once(settle(value, carried + (jumps ? std::abs(x[1].value) : 0.0), 1.0), element.step);
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

Pair multiply_add(const Pair* x, const Element& element) {
  const Pair product = multiply(x + 1, Element{element.step, 0.0, {}});
  if (overflows_between({x[1].value, x[2].value}, product.value, element.step)) return {x[0].value, kInfinity};
  const Pair rounded{product.value, product.bound + element.step.unit * std::abs(product.value) + element.step.tiny};
  const Pair terms[2] = {x[0], rounded};
  return add(terms, element);
}

Pair divide_add(const Pair* x, const Element& element) {
  const Pair quotient = divide(x + 1, Element{element.step, 0.0, {}});
  if (x[2].value != 0.0 && overflows_between({x[1].value, x[2].value}, quotient.value, element.step)) return {x[0].value, kInfinity};
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

Pair logical_not(const Pair* x, const Element&) { return truth(x[0].value == 0.0, x[0].bound > 0.0 && std::abs(x[0].value) <= x[0].bound); }

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

Pair is_nan(const Pair* x, const Element&) { return truth(std::isnan(x[0].value), x[0].bound == kInfinity); }

Pair exp(const Pair* x, const Element& element) {
  return approximated(x[0], element, [](double a) { return std::exp(a); });
}
Pair log(const Pair* x, const Element& element) {
  return approximated(x[0], element, [](double a) { return std::log(a); });
}
Pair rsqrt(const Pair* x, const Element& element) {
  return approximated(x[0], element, [](double a) { return 1.0 / std::sqrt(a); });
}
Pair tanh(const Pair* x, const Element& element) {
  return approximated(x[0], element, [](double a) { return std::tanh(a); });
}
Pair erf(const Pair* x, const Element& element) {
  return approximated(x[0], element, [](double a) { return std::erf(a); });
}

// Not monotone: no slope is steeper than 1. The reduction error of large arguments is |x| u (oracles.md 3.1).
Pair sin(const Pair* x, const Element& element) {
  const double value = std::sin(x[0].value);
  if (!std::isfinite(value)) return settle(value, x[0].bound, x[0].bound);
  const double reduction = std::abs(x[0].value) > 4096.0 ? element.step.unit * std::abs(x[0].value) : 0.0;
  return {value, std::min(2.0, x[0].bound + element.error * std::abs(value) + reduction)};
}

Pair cos(const Pair* x, const Element& element) {
  const double value = std::cos(x[0].value);
  if (!std::isfinite(value)) return settle(value, x[0].bound, x[0].bound);
  const double reduction = std::abs(x[0].value) > 4096.0 ? element.step.unit * std::abs(x[0].value) : 0.0;
  return {value, std::min(2.0, x[0].bound + element.error * std::abs(value) + reduction)};
}

// oracles.md 3.1: u (|x| + 7) |y| + smallest normal * max(1, |x|). Covers 1 / (1 + exp(-x)) and the tanh form alike where y is not tiny.
Pair sigmoid(const Pair* x, const Element& element) {
  Pair result = monotone(x[0], sigmoid_of);
  if (std::isnan(result.value) || std::isinf(x[0].value)) return result;
  const double size = std::abs(x[0].value);
  result.bound += element.step.unit * (size + 7.0) * (result.value + result.bound) + element.step.smallest * std::max(1.0, size);
  return result;
}

// |silu'| < 1.1 everywhere. NaN at -inf, as x * sigmoid(x) gives.
Pair silu(const Pair* x, const Element& element) {
  const double value = x[0].value * sigmoid_of(x[0].value), size = std::abs(x[0].value);
  if (!std::isfinite(value)) return settle(value, x[0].bound, x[0].bound);
  const double own = element.step.unit * (size + 7.0) * std::abs(value) + element.step.smallest * std::max(1.0, size * size);
  return settle(value, 1.1 * x[0].bound + own, x[0].bound);
}

// oracles.md 3.1: 6 u |x|; |gelu'| < 1.13 everywhere.
Pair gelu(const Pair* x, const Element& element) {
  const double value = element.parameter[0] != 0.0 ? gelu_tanh_of(x[0].value) : gelu_of(x[0].value);
  if (!std::isfinite(value)) return settle(value, x[0].bound, x[0].bound);
  const double own = 6.0 * element.step.unit * std::abs(x[0].value) + (x[0].value == 0.0 ? 0.0 : element.step.tiny);
  return settle(value, 1.13 * x[0].bound + own, x[0].bound);
}

// Exponents of +-0.5 may be computed as square roots (torch's own CPU kernels do): pow(-inf, 0.5) is inf, sqrt(-inf) NaN, and signs of zero differ.
bool roots_differ(double base, const Pair& exponent) {
  return exponent.bound == 0.0 && std::abs(exponent.value) == 0.5 && std::signbit(base) && (std::isinf(base) || base == 0.0);
}

// Integer exponents up to 4 are repeated multiplication (n - 1 roundings, and a division when negative), others the function.
Pair power(const Pair* x, const Element& element) {
  const double value = std::pow(x[0].value, x[1].value);
  if (roots_differ(x[0].value, x[1])) return {value, kInfinity};
  const double bounds = x[0].bound + x[1].bound;
  double change = 0.0;
  if (bounds > 0.0) {
    const bool crosses_zero = std::abs(x[0].value) <= x[0].bound;
    for (const double a : {x[0].value - x[0].bound, x[0].value + x[0].bound, crosses_zero ? 0.0 : x[0].value}) {
      for (const double b : {x[1].value - x[1].bound, x[1].value + x[1].bound}) {
        const double difference = std::abs(std::pow(a, b) - value);
        change = std::max(change, std::isnan(difference) ? kInfinity : difference);
      }
    }
  }
  Pair result = settle(value, change, bounds);
  if (!std::isfinite(value)) return result;
  const double n = std::abs(x[1].value);
  const bool trivial = x[1].bound == 0.0 && (x[1].value == 0.0 || x[1].value == 1.0);
  const double multiplications = std::max(0.0, n - 1.0) + (x[1].value < 0.0 ? 1.0 : 0.0);
  const bool exact_special = x[0].bound == 0.0 && (x[0].value == 0.0 || x[0].value == 1.0);
  const double error = trivial || exact_special ? 0.0 : is_small_integer(x[1]) ? multiplications * element.step.unit : element.error;
  result.bound += error * (std::abs(value) + result.bound);
  if (error > 0.0 && std::abs(value) < 2.0 * element.step.smallest) result.bound += element.step.smallest;
  return result;
}

Pair threshold_backward(const Pair* x, const Element& element) {
  const bool passes = !(x[1].value <= element.parameter[0]);
  const bool ambiguous = x[1].bound > 0.0 && std::abs(x[1].value - element.parameter[0]) <= x[1].bound;
  const double value = passes ? x[0].value : 0.0;
  return ambiguous ? settle(value, std::abs(x[0].value) + x[0].bound, 1.0) : Pair{value, passes ? x[0].bound : 0.0};
}

// g * y * (1 - y) in any order, fused or not: four roundings.
Pair sigmoid_backward(const Pair* x, const Element& element) {
  const Step& step = element.step;
  return oracles::multiply(x[0], oracles::multiply(x[1], oracles::subtract({1.0, 0.0}, x[1], step), step), step);
}

// g * (1 - y * y).
Pair tanh_backward(const Pair* x, const Element& element) {
  const Step& step = element.step;
  return oracles::multiply(x[0], oracles::subtract({1.0, 0.0}, oracles::multiply(x[1], x[1], step), step), step);
}

// The slope is Phi(x) + x phi(x): both terms stay below 1.13 and are computed with absolute errors of a few u each; |gelu''| < 0.8 (tanh form: < 1).
Pair gelu_backward(const Pair* x, const Element& element) {
  const double at = x[1].value;
  const double slope = element.parameter[0] != 0.0 ? gelu_tanh_slope(at) : gelu_slope(at);
  const double own = 16.0 * element.step.unit + (element.parameter[0] != 0.0 ? gelu_tanh_cancellation(at, element) : 0.0);
  const Pair factor = settle(slope, x[1].bound + own, x[1].bound);
  // The square of the argument overflows: 0 * infinity in the tanh form.
  if (std::isfinite(at) && at * at > element.step.largest) return {x[0].value * slope, kInfinity};
  return oracles::multiply(x[0], factor, element.step);
}

}  // namespace neuroncheck::oracles::functions
