// Steps, replacements and special functions over pairs.
#include <algorithm>
#include <cmath>

#include "oracles/element_parts.h"

namespace neuroncheck::oracles::functions {
namespace {

// Newton's method on erf, and on erfc where erf is flat: 1 - |y| is exact there. A start from Winitzki's approximation needs five steps.
double erfinv_of(double y) {
  const double size = std::abs(y);
  if (!(size < 1.0)) return size == 1.0 ? y * kUnknown : std::numeric_limits<double>::quiet_NaN();
  if (y == 0.0) return y;
  const double a = 0.147, logarithm = std::log1p(-size * size), half = 2.0 / (M_PI * a) + logarithm / 2.0;
  double x = std::sqrt(std::sqrt(half * half - logarithm / a) - half);
  if (size < 1e-4) x = size * std::sqrt(M_PI) / 2.0;
  for (int i = 0; i < 5; ++i) {
    const double miss = size < 0.5 ? std::erf(x) - size : (1.0 - size) - std::erfc(x);
    x -= miss * std::sqrt(M_PI) / 2.0 * std::exp(x * x);
  }
  return std::copysign(x, y);
}

// x0 * g(x1), and 0 where x0 is 0 unless x1 is NaN.
Pair product_but_zero(Pair factor, Pair logarithm, double of, const Step& step) {
  if (factor.value == 0.0 && factor.bound == 0.0) return {std::isnan(of) ? of : 0.0, logarithm.bound == kUnknown ? kUnknown : 0.0};
  if (std::isinf(factor.value) && factor.bound == 0.0 && std::abs(logarithm.value) > logarithm.bound) return {factor.value * logarithm.value, 0.0};
  return rounded_once(exact_product(factor, logarithm), step);
}

}  // namespace

Pair heaviside(const Pair* x, const Element&) {
  const double value = x[0].value == 0.0 ? x[1].value : x[0].value > 0.0 ? 1.0 : 0.0;
  if (may_cross(x[0], 0.0)) return {value, std::isfinite(x[1].value) ? 1.0 + std::abs(x[1].value) : kUnknown};
  return {value, x[0].value == 0.0 ? x[1].bound : 0.0};
}

Pair nan_to_num(const Pair* x, const Element& element) {
  const auto [nan, positive, negative] = element.parameter;
  if (x[0].bound == kUnknown) return x[0];
  if (std::isnan(x[0].value)) return {nan, 0.0};
  return std::isinf(x[0].value) ? Pair{x[0].value > 0.0 ? positive : negative, 0.0} : x[0];
}

// nearbyint(x 10^d) / 10^d: the product is rounded before, so that halves may go either way; the quotient after.
Pair round_decimals(const Pair* x, const Element& element) {
  const double decimals = element.parameter[0], scale = std::pow(10.0, std::abs(decimals));
  if (decimals == 0.0) return round(x, element);
  const double at = x[0].value, scaled = decimals > 0.0 ? at * scale : at / scale, whole = std::nearbyint(scaled);
  if (!std::isfinite(at)) return settle(at, x[0].bound, x[0].bound);
  if (std::abs(scaled) > element.step.largest) return {at, kUnknown};
  const double doubt = element.step.unit * std::abs(scaled) + (decimals > 0.0 ? x[0].bound * scale : x[0].bound / scale);
  const double spread = std::max(std::nearbyint(scaled + doubt) - whole, whole - std::nearbyint(scaled - doubt));
  const double value = decimals > 0.0 ? whole / scale : whole * scale;
  const double step_size = decimals > 0.0 ? 1.0 / scale : scale;
  const double own = value == 0.0 ? 0.0 : 2.0 * element.step.unit * (std::abs(value) + spread * step_size);
  return settle(value, spread * step_size + own, 1.0);
}

Pair ldexp(const Pair* x, const Element& element) {
  const Pair power_of[2] = {{2.0, 0.0}, x[1]};
  Pair scale = power(power_of, element);
  // Torch's composite multiplies by a tensor of its dtype, which holds every power of two.
  int exponent = 0;
  if (std::frexp(scale.value, &exponent) != 0.5)
    scale.bound += element.step.output_unit * (std::abs(scale.value) + scale.bound) + element.step.output_tiny;
  return oracles::multiply(x[0], scale, element.step);
}

// sin(pi x) / (pi x): the argument's roundings turn the sine by 2 u pi |x| and more where its range is reduced. |sinc'| < 1.38 everywhere.
Pair sinc(const Pair* x, const Element& element) {
  const double argument = M_PI * x[0].value, value = x[0].value == 0.0 ? 1.0 : std::sin(argument) / argument;
  if (!std::isfinite(value)) return settle(std::numeric_limits<double>::quiet_NaN(), x[0].bound, x[0].bound);
  const bool flushes = element.step.tiny >= element.step.smallest && argument != 0.0 && std::abs(argument) < element.step.smallest;
  if (std::abs(argument) > element.step.largest || flushes) return {value, kUnknown};
  if (x[0].value == 0.0 && x[0].bound == 0.0) return {1.0, 0.0};
  const double own = 4.0 * element.step.unit + (element.error + 4.0 * element.step.unit) * std::abs(value);
  return settle(value, 1.38 * x[0].bound + own, x[0].bound);
}

// -x log(x), 0 at 0, -infinity below.
Pair entr(const Pair* x, const Element& element) {
  const double at = x[0].value;
  if (std::isnan(at)) return x[0];
  if (x[0].bound > 0.0 && at - x[0].bound <= 0.0) return {at > 0.0 ? -at * std::log(at) : 0.0, kUnknown};
  if (at <= 0.0) return {at == 0.0 ? 0.0 : -kUnknown, 0.0};
  return product_but_zero({-at, x[0].bound}, approximated(x[0], element, ::log), at, element.step);
}

Pair xlog1py(const Pair* x, const Element& element) { return product_but_zero(x[0], approximated(x[1], element, ::log1p), x[1].value, element.step); }

Pair erfinv(const Pair* x, const Element& element) { return approximated(x[0], element, erfinv_of); }

}  // namespace neuroncheck::oracles::functions
