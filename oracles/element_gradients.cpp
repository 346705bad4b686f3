// Derivatives of the activations over pairs. Slopes are bounded first; their product with the gradient is one rounding more.
#include "oracles/element_gradients.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "oracles/element_parts.h"

namespace neuroncheck::oracles::functions {
namespace {

constexpr double kInverseSqrt2Pi = 0.39894228040143267794;

double gelu_slope(double x) { return 0.5 * std::erfc(-x * kInverseSqrt2) + x * kInverseSqrt2Pi * std::exp(-0.5 * x * x); }

double gelu_tanh_slope(double x) {
  const double t = std::tanh(tanh_argument(x));
  const double inner = std::sqrt(2.0 / M_PI) * (1.0 + 3.0 * 0.044715 * x * x);
  return 0.5 * (1.0 + t) + (std::abs(t) == 1.0 && std::isfinite(x) ? 0.0 : 0.5 * x * (1.0 - t * t) * inner);
}

// The tanh form's 0.5 x (1 - t^2) inner: an error of t becomes twice that of 1 - t^2, whatever is left of it. Every tanh is taken to
// have saturated where 1 - t is less than half a unit, and where the argument exceeds 10.
double gelu_tanh_cancellation(double x, const Element& element) {
  const double inner = std::sqrt(2.0 / M_PI) * (1.0 + 3.0 * 0.044715 * x * x);
  const double saturation = std::max(10.0, 0.5 * M_LN2 * (element.step.precision + 2.0));
  const bool saturated = !(std::abs(tanh_argument(x)) < saturation);
  return saturated ? 0.0 : 0.5 * std::abs(x) * inner * (2.0 * element.error + 2.0 * element.step.unit);
}

// The gradient where it passes, 0 elsewhere.
Pair gated(Pair gradient, bool passes, bool ambiguous) {
  const double value = passes ? gradient.value : 0.0;
  return ambiguous ? settle(value, std::abs(gradient.value) + gradient.bound, 1.0) : Pair{value, passes ? gradient.bound : 0.0};
}

// The gradient where the operand is positive, its scaled self elsewhere.
Pair whole_or_scaled(const Pair* x, Pair scaled) {
  const Pair value = x[1].value > 0.0 ? x[0] : scaled;
  if (!may_cross(x[1], 0.0)) return value;
  return settle(value.value, std::abs(x[0].value - scaled.value) + x[0].bound + scaled.bound, 1.0);
}

// What a scalar of the call loses when it is rounded to the accumulate dtype first.
Pair scalar(double value, const Element& element) {
  const bool exact = lowest_bit(value) * std::ldexp(1.0, element.step.precision) > std::abs(value);
  return {value, exact || value == 0.0 ? 0.0 : element.step.unit * std::abs(value)};
}

// A step of a composite: after the arithmetic, its result is rounded to the dtype shown.
Step rounding_to_shown(Step step) {
  if (step.output_unit <= step.unit) return step;
  step.unit += step.output_unit;
  step.tiny += step.output_tiny;
  step.largest = std::min(step.largest, step.output_largest);
  step.precision = std::min(step.precision, static_cast<int>(-std::log2(step.output_unit)));
  return step;
}

// What one order loses to underflow or overflow, another keeps.
Pair product_in_any_order(const std::array<Pair, 3>& factors, const Step& step) {
  Pair result = oracles::multiply(factors[0], oracles::multiply(factors[1], factors[2], step), step);
  for (std::size_t last = 0; last < 3; ++last) {
    const Pair a = factors[(last + 1) % 3], b = factors[(last + 2) % 3], between = oracles::multiply(a, b, step);
    if (overflows_between({a.value, b.value}, between.value, step)) return {result.value, kUnknown};
    result.bound = std::max(result.bound, oracles::multiply(factors[last], between, step).bound);
  }
  return result;
}

}  // namespace

Pair threshold_backward(const Pair* x, const Element& element) {
  return gated(x[0], !(x[1].value <= element.parameter[0]), may_cross(x[1], element.parameter[0]));
}

// g * y * (1 - y) in any order, fused or not: four roundings.
Pair sigmoid_backward(const Pair* x, const Element& element) {
  return product_in_any_order({x[0], x[1], oracles::subtract({1.0, 0.0}, x[1], element.step)}, element.step);
}

// g * s * (1 + x (1 - s)) of s = sigmoid(x), in any order; of an uncertain x, |silu''| <= 1/2. At an infinite x every limit is legal. Torch's
// composite, which a device without a kernel runs, rounds every step to the dtype shown.
Pair silu_backward(const Pair* x, const Element& element) {
  Element rounded = element;
  rounded.step = rounding_to_shown(element.step);
  const Step& step = rounded.step;
  const Pair at{x[1].value, 0.0}, s = sigmoid(&at, rounded);
  const Pair factor = oracles::add({1.0, 0.0}, oracles::multiply(at, oracles::subtract({1.0, 0.0}, s, step), step), step);
  const Pair result = product_in_any_order({x[0], s, factor}, step);
  if (std::isinf(at.value)) return {result.value, kUnknown};
  const double carried = x[1].bound == 0.0 ? 0.0 : 0.5 * x[1].bound * (std::abs(x[0].value) + x[0].bound);
  const double bound = result.bound + carried;
  return settle(result.value, bound, bound);
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
  if (std::isfinite(at) && at * at > element.step.largest) return {x[0].value * slope, kUnknown};
  return oracles::multiply(x[0], factor, element.step);
}

// scale where x is positive, alpha * scale * input_scale * exp(input_scale * x) elsewhere.
Pair elu_backward(const Pair* x, const Element& element) {
  const auto [alpha, scale, input_scale] = element.parameter;
  const double below = alpha * scale * input_scale;
  const auto slope_at = [&](double a) { return a > 0.0 ? scale : below * std::exp(input_scale * a); };
  if (std::isnan(x[1].value)) return {x[1].value, kUnknown};
  const double at = x[1].value, slope = slope_at(at);
  double change = monotone_change(x[1], slope, slope_at);
  if (may_cross(x[1], 0.0)) change = std::max({change, std::abs(below - slope), std::abs(scale - slope)});
  const bool positive = at > 0.0 && !may_cross(x[1], 0.0);
  // The gradient is multiplied with the constants first.
  const double largest_factor = std::max({std::abs(alpha * scale), std::abs(input_scale), std::abs(below)});
  if (!positive && overflows_between({x[0].value}, x[0].value * largest_factor, element.step)) return {x[0].value * slope, kUnknown};
  const double own = std::isinf(at) ? 0.0 : (element.step.exp_error + element.step.unit * (std::abs(input_scale * at) + 6.0)) * std::abs(slope);
  const Pair factor = settle(slope, change + (positive ? 0.0 : own + element.step.smallest), x[1].bound);
  return oracles::multiply(x[0], positive ? scalar(scale, element) : factor, element.step);
}

// The same by the output: input_scale * (y + alpha * scale) where y is not positive.
Pair elu_backward_of_result(const Pair* x, const Element& element) {
  const auto [alpha, scale, input_scale] = element.parameter;
  const Step& step = element.step;
  if (std::isnan(x[1].value)) return {x[1].value, kUnknown};
  const Pair below = oracles::multiply(scalar(input_scale, element), oracles::add(x[1], scalar(alpha * scale, element), step), step);
  const bool positive = x[1].value > 0.0;
  if (may_cross(x[1], 0.0)) {
    const double value = positive ? scale : below.value;
    return oracles::multiply(x[0], settle(value, std::abs(scale - below.value) + below.bound, 1.0), step);
  }
  return oracles::multiply(x[0], positive ? scalar(scale, element) : below, step);
}

Pair hardshrink_backward(const Pair* x, const Element& element) {
  if (std::isnan(x[1].value)) return {x[0].value, kUnknown};
  const double limit = element.parameter[0];
  return gated(x[0], !(std::abs(x[1].value) <= limit), may_cross(x[1], limit) || may_cross(x[1], -limit));
}

Pair hardtanh_backward(const Pair* x, const Element& element) {
  if (std::isnan(x[1].value)) return {x[0].value, kUnknown};
  const auto [low, high, unused] = element.parameter;
  return gated(x[0], x[1].value > low && x[1].value < high, may_cross(x[1], low) || may_cross(x[1], high));
}

// A sixth of the gradient, by division or by the reciprocal.
Pair hardsigmoid_backward(const Pair* x, const Element& element) {
  if (std::isnan(x[1].value)) return {x[0].value, kUnknown};
  Pair sixth = oracles::divide(x[0], {6.0, 0.0}, element.step);
  if (std::isfinite(sixth.value)) sixth.bound += element.step.unit * std::abs(sixth.value);
  return gated(sixth, std::abs(x[1].value) < 3.0, may_cross(x[1], 3.0) || may_cross(x[1], -3.0));
}

// x / 3 + 1/2 within +-3; 0 and 1 outside, where the slope jumps by 1/2.
Pair hardswish_backward(const Pair* x, const Element& element) {
  const double at = x[1].value, slope = at <= -3.0 ? 0.0 : at >= 3.0 ? 1.0 : at / 3.0 + 0.5;
  if (std::isnan(at)) return {x[0].value, kUnknown};
  const bool ambiguous = may_cross(x[1], 3.0) || may_cross(x[1], -3.0);
  const bool inside = std::abs(at) < 3.0;
  const double own = inside ? 2.0 * element.step.unit * (std::abs(at) / 3.0 + 0.5) : 0.0;
  const double carried = inside || ambiguous ? x[1].bound / 3.0 + (ambiguous ? 0.5 : 0.0) : 0.0;
  const Pair factor = settle(slope, carried + own, x[1].bound);
  // Outside the gradient is passed or dropped, not multiplied.
  if (slope == 0.0 && factor.bound == 0.0) return {0.0, std::isfinite(x[0].value) ? 0.0 : kUnknown};
  return slope == 1.0 && factor.bound == 0.0 ? x[0] : oracles::multiply(x[0], factor, element.step);
}

Pair leaky_relu_backward(const Pair* x, const Element& element) {
  const Pair scaled = oracles::multiply(x[0], scalar(element.parameter[0], element), element.step);
  return whole_or_scaled(x, scaled);
}

// z / (z + 1), z = exp(beta x), and 1 where beta x exceeds the threshold; near it both are legal. The slope's own slope is at most beta / 4.
Pair softplus_backward(const Pair* x, const Element& element) {
  const double beta = element.parameter[0], argument = beta * x[1].value, s = sigmoid_of(argument);
  const double doubt = std::abs(beta) * x[1].bound + 4.0 * element.step.unit * std::abs(argument);
  const bool linear = argument > element.parameter[1];
  if (linear && (std::isinf(argument) || argument - doubt > element.parameter[1])) return x[0];
  if (std::isinf(argument)) return oracles::multiply(x[0], {0.0, 0.0}, element.step);
  const double jump = std::abs(argument - element.parameter[1]) <= doubt ? 1.0 - s : 0.0;
  const double own = (element.step.exp_error + element.step.unit * (std::abs(argument) + 4.0)) * s + element.step.smallest;
  // g z / (z + 1) in this order may overflow between.
  if (overflows_between({x[0].value}, x[0].value * std::exp(argument), element.step)) return {x[0].value * s, kUnknown};
  return oracles::multiply(x[0], settle(linear ? 1.0 : s, 0.25 * std::abs(beta) * x[1].bound + own + jump, x[1].bound), element.step);
}

// sigmoid(-x) of z = exp(-|x|): 1 - z / (1 + z) where x is negative, z / (1 + z) elsewhere.
Pair log_sigmoid_backward(const Pair* x, const Element& element) {
  const Step& step = element.step;
  const Pair quotient = oracles::divide(x[2], oracles::add({1.0, 0.0}, x[2], step), step);
  Pair slope = x[1].value < 0.0 ? oracles::subtract({1.0, 0.0}, quotient, step) : quotient;
  if (std::isnan(x[1].value)) slope = {x[1].value, x[1].bound};
  if (may_cross(x[1], 0.0)) slope.bound += std::abs(1.0 - 2.0 * quotient.value) + quotient.bound;
  return oracles::multiply(x[0], slope, step);
}

// 1 / (x (1 - x)); outside of [eps, 1 - eps] 0, outside of [0, 1] NaN where there is no eps.
Pair logit_backward(const Pair* x, const Element& element) {
  const double at = x[1].value, low = element.parameter[0] < 0.0 ? 0.0 : element.parameter[0], high = 1.0 - low;
  if (std::isnan(at)) return {at, kUnknown};
  const bool has_limits = element.parameter[0] >= 0.0;
  const bool ambiguous = may_cross(x[1], low) || may_cross(x[1], high) || (has_limits && std::abs(at - high) <= element.step.unit && low > 0.0);
  if (at < low || at > high) {
    if (ambiguous) return {0.0, kUnknown};
    return has_limits ? Pair{0.0, 0.0} : Pair{std::numeric_limits<double>::quiet_NaN(), 0.0};
  }
  if (ambiguous) return {x[0].value / (at * (1.0 - at)), kUnknown};
  if (at == 0.0) return {x[0].value * kUnknown, kUnknown};  // an infinity, of whose sign torch's kernels differ by lane where the zero has one
  if (at == 1.0) return exact_product(x[0], {kUnknown, 0.0});
  const Step& step = element.step;
  return oracles::divide(x[0], oracles::multiply(x[1], oracles::subtract({1.0, 0.0}, x[1], step), step), step);
}

Pair prelu_backward_self(const Pair* x, const Element& element) {
  const Pair scaled = oracles::multiply(x[0], x[2], element.step);
  return whole_or_scaled(x, scaled);
}

Pair prelu_backward_weight(const Pair* x, const Element& element) {
  return gated(oracles::multiply(x[0], x[1], element.step), !(x[1].value > 0.0), may_cross(x[1], 0.0));
}

Pair glu_backward_first(const Pair* x, const Element& element) { return oracles::multiply(x[0], sigmoid(x + 2, element), element.step); }

// g a s (1 - s) in any order.
Pair glu_backward_second(const Pair* x, const Element& element) {
  const Step& step = element.step;
  const Pair s = sigmoid(x + 2, element), slope = oracles::multiply(s, oracles::subtract({1.0, 0.0}, s, step), step);
  const double product = x[0].value * x[1].value;
  if (overflows_between({x[0].value, x[1].value}, product, step)) return {product * slope.value, kUnknown};
  return oracles::multiply(x[0], oracles::multiply(x[1], slope, step), step);
}

Pair dropout_backward(const Pair* x, const Element& element) {
  const Pair scale = scalar(element.parameter[0], element);
  if (overflows_between({x[0].value, scale.value}, x[0].value * scale.value, element.step)) return {x[0].value * x[1].value, kUnknown};
  return oracles::multiply(x[0], oracles::multiply(x[1], scale, element.step), element.step);
}

}  // namespace neuroncheck::oracles::functions
