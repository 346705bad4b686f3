// Activations over pairs; their derivatives are in element_gradients.cpp.
#include <algorithm>
#include <cmath>

#include "oracles/element_parts.h"

namespace neuroncheck::oracles::functions {
namespace {

double gelu_of(double x) { return 0.5 * x * std::erfc(-x * kInverseSqrt2); }

double gelu_tanh_of(double x) { return 0.5 * x * (1.0 + std::tanh(tanh_argument(x))); }

}  // namespace

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
  const double own = element.step.unit * (size + 7.0) * std::abs(value) + element.step.smallest * std::max(1.0, size);
  return settle(value, 1.1 * x[0].bound + own, x[0].bound);
}

// oracles.md 3.1: 6 u |x|; |gelu'| < 1.13 everywhere. The half may be the last factor, of a product with 1 + erf that overflows.
Pair gelu(const Pair* x, const Element& element) {
  const double value = element.parameter[0] != 0.0 ? gelu_tanh_of(x[0].value) : gelu_of(x[0].value);
  if (!std::isfinite(value)) return settle(value, x[0].bound, x[0].bound);
  if (overflows_between({x[0].value}, 2.0 * value, element.step)) return {value, kUnknown};
  const double own = 6.0 * element.step.unit * std::abs(x[0].value) + (x[0].value == 0.0 ? 0.0 : element.step.tiny);
  return settle(value, 1.13 * x[0].bound + own, x[0].bound);
}

// x * tanh(log(1 + exp(x))); no slope is steeper than 1.1. NaN at -inf, as the product gives.
Pair mish(const Pair* x, const Element& element) {
  const double value = x[0].value * std::tanh(std::log1p(std::exp(x[0].value))), size = std::abs(x[0].value);
  if (!std::isfinite(value)) return settle(value, x[0].bound, x[0].bound);
  const double own = (element.error + element.step.unit * (size + 20.0)) * std::abs(value) + element.step.smallest * std::max(1.0, size);
  return settle(value, 1.1 * x[0].bound + own, x[0].bound);
}

// x0 where it is positive, parameter[0] * x0 elsewhere; parameter[0] may be rounded to the accumulate dtype.
Pair leaky_relu(const Pair* x, const Element& element) {
  const double slope = element.parameter[0];
  const double value = x[0].value > 0.0 ? x[0].value : slope * x[0].value;
  Pair result = settle(value, std::max(1.0, std::abs(slope)) * x[0].bound, x[0].bound);
  if (!(x[0].value - x[0].bound > 0.0) && std::isfinite(value)) result.bound += element.step.unit * std::abs(value) + element.step.tiny;
  return result;
}

// parameters: alpha, scale, input_scale. x * scale where x is positive, alpha * scale * (exp(input_scale * x) - 1) elsewhere, by expm1 or by exp and
// a subtraction.
Pair elu(const Pair* x, const Element& element) {
  const auto [alpha, scale, input_scale] = element.parameter;
  const bool positive = x[0].value > 0.0;
  const double value = positive ? x[0].value * scale : std::expm1(input_scale * x[0].value) * alpha * scale;
  const double steepest = std::max(std::abs(scale), std::abs(alpha * scale * input_scale));
  Pair result = settle(value, steepest * x[0].bound, x[0].bound);
  if (!std::isfinite(value)) return result;
  const bool surely_positive = x[0].value - x[0].bound > 0.0;
  const double relative = scale == 1.0 && surely_positive ? 0.0 : 2.0 * element.step.unit;
  result.bound += relative * std::abs(value) + (surely_positive ? 0.0 : (element.error + 6.0 * element.step.unit) * std::abs(alpha * scale));
  return result;
}

// parameters: beta, threshold. log(1 + exp(beta x)) / beta, or x where beta x exceeds the threshold; near it both are legal.
Pair softplus(const Pair* x, const Element& element) {
  const double beta = element.parameter[0], argument = beta * x[0].value;
  const double smooth = argument > 0.0 ? argument + std::log1p(std::exp(-argument)) : std::log1p(std::exp(argument));
  const bool linear = argument > element.parameter[1];
  const double value = linear ? x[0].value : smooth / beta;
  if (!std::isfinite(argument)) return settle(value, x[0].bound, x[0].bound);
  const double doubt = std::abs(beta) * x[0].bound + 4.0 * element.step.unit * std::abs(argument);
  if (linear && argument - doubt > element.parameter[1]) return settle(value, x[0].bound, x[0].bound);
  const double own =
      (element.error + element.step.exp_error + element.step.unit * (std::abs(argument) + 6.0)) * smooth / std::abs(beta) + element.step.smallest;
  const double jump = std::abs(argument - element.parameter[1]) <= doubt ? std::abs(smooth / beta - x[0].value) : 0.0;
  return settle(value, x[0].bound + own + jump, x[0].bound);
}

// x * min(max(x + 3, 0), 6) / 6: four roundings, each relative to its result, and a product that may overflow. No slope is steeper than 1.5.
Pair hardswish(const Pair* x, const Element& element) {
  const double gate = std::min(std::max(x[0].value + 3.0, 0.0), 6.0), value = x[0].value * gate / 6.0;
  if (std::isnan(x[0].value) || std::isinf(x[0].value))
    return settle(std::isnan(x[0].value) ? x[0].value : x[0].value * gate, x[0].bound, x[0].bound);
  if (std::abs(x[0].value) * gate > element.step.largest) return {value, kUnknown};
  return settle(value, 1.5 * x[0].bound + 5.0 * element.step.unit * std::abs(value) + (gate == 0.0 ? 0.0 : element.step.tiny), x[0].bound);
}

// min(max(x + 3, 0), 6) / 6.
Pair hardsigmoid(const Pair* x, const Element& element) {
  const double value = std::isnan(x[0].value) ? x[0].value : std::min(std::max(x[0].value + 3.0, 0.0), 6.0) / 6.0;
  return settle(value, x[0].bound / 6.0 + (std::isnan(value) ? 0.0 : 3.0 * element.step.unit * value), x[0].bound);
}

// parameters: lowest, highest.
Pair hardtanh(const Pair* x, const Element& element) {
  return monotone(x[0], [&](double a) { return std::isnan(a) ? a : std::min(std::max(a, element.parameter[0]), element.parameter[1]); });
}

// Zero within +-parameter[0].
Pair hardshrink(const Pair* x, const Element& element) {
  const double limit = element.parameter[0];
  const auto function = [&](double a) { return a >= -limit && a <= limit ? 0.0 : a; };
  return monotone(x[0], function);
}

// Towards zero by parameter[0], and no further.
Pair softshrink(const Pair* x, const Element& element) {
  const double limit = element.parameter[0];
  const auto function = [&](double a) { return a > limit ? a - limit : a < -limit ? a + limit : a * 0.0; };
  return rounded_once(monotone(x[0], function), element.step);
}

// parameters: threshold, value. x0 above the threshold, the value elsewhere.
Pair threshold(const Pair* x, const Element& element) {
  const double value = x[0].value <= element.parameter[0] ? element.parameter[1] : x[0].value;
  const bool ambiguous = x[0].bound > 0.0 && std::abs(x[0].value - element.parameter[0]) <= x[0].bound;
  if (ambiguous) return settle(value, std::abs(x[0].value - element.parameter[1]) + x[0].bound, 1.0);
  return {value, x[0].value <= element.parameter[0] ? 0.0 : x[0].bound};
}

// min(x, 0) - log1p(exp(-|x|)); no slope is steeper than 1.
Pair log_sigmoid(const Pair* x, const Element& element) {
  const double soft = std::log1p(std::exp(-std::abs(x[0].value))), value = std::min(x[0].value, 0.0) - soft;
  if (!std::isfinite(x[0].value)) return settle(std::isnan(x[0].value) ? x[0].value : value, x[0].bound, x[0].bound);
  const double own = (element.error + element.step.exp_error + 3.0 * element.step.unit) * soft + element.step.unit * std::abs(value);
  return settle(value, x[0].bound + own + element.step.smallest, x[0].bound);
}

// Even, and monotone on either side of its maximum 1.
Pair exp_of_minus_magnitude(const Pair* x, const Element& element) {
  const auto function = [](double a) { return std::exp(-std::abs(a)); };
  const double value = function(x[0].value);
  double change = monotone_change(x[0], value, function);
  if (x[0].bound > 0.0 && std::abs(x[0].value) <= x[0].bound) change = std::max(change, 1.0 - value);
  return with_error(settle(value, change, x[0].bound), element.error, element.step);
}

// log(z / (1 - z)), or a difference of two logarithms, of z = x within [eps, 1 - eps].
Pair logit(const Pair* x, const Element& element) {
  const double low = element.parameter[0], high = 1.0 - low;
  const auto clamped = [&](double a) { return low < 0.0 || std::isnan(a) ? a : a < low ? low : a > high ? high : a; };
  Pair result = monotone(x[0], [&](double a) { return std::log(clamped(a) / (1.0 - clamped(a))); });
  if (!std::isfinite(result.value)) return result;
  const double z = clamped(x[0].value);
  // 1 - eps may be rounded to the accumulate dtype.
  const double limit = z == high ? element.step.unit / (high * low) : 0.0;
  result.bound +=
      element.error * (std::abs(std::log(z)) + std::abs(std::log1p(-z))) + 4.0 * element.step.unit * (1.0 + std::abs(result.value)) + limit;
  return result;
}

// x0 where it is positive, x1 * x0 elsewhere.
Pair prelu(const Pair* x, const Element& element) {
  const Pair scaled = oracles::multiply(x[0], x[1], element.step);
  if (!(x[0].bound > 0.0 && std::abs(x[0].value) <= x[0].bound)) return x[0].value > 0.0 ? x[0] : scaled;
  const double value = x[0].value > 0.0 ? x[0].value : scaled.value;
  return settle(value, std::max(1.0, std::abs(x[1].value) + x[1].bound) * 2.0 * x[0].bound + scaled.bound, 1.0);
}

Pair glu(const Pair* x, const Element& element) { return oracles::multiply(x[0], sigmoid(x + 1, element), element.step); }

}  // namespace neuroncheck::oracles::functions
