// Transcendental functions over pairs.
#include <algorithm>
#include <cmath>

#include "oracles/element_parts.h"

namespace neuroncheck::oracles::functions {
namespace {

bool is_small_integer(Pair exponent) {
  return exponent.bound == 0.0 && std::abs(exponent.value) <= 4.0 && exponent.value == std::floor(exponent.value);
}

// Exponents of +-0.5 may be computed as square roots (torch's own CPU kernels do): pow(-inf, 0.5) is inf, sqrt(-inf) NaN, and signs of zero differ.
bool roots_differ(double base, const Pair& exponent) {
  return exponent.bound == 0.0 && std::abs(exponent.value) == 0.5 && std::signbit(base) && (std::isinf(base) || base == 0.0);
}

// max + log1p(exp(min - max)), in any base: the slopes add up to 1, and the logarithm's absolute error is that of a number in [0, 1].
Pair log_of_sum(const Pair* x, const Element& element, double base) {
  const double high = std::max(x[0].value, x[1].value), low = std::min(x[0].value, x[1].value);
  double value = std::isinf(high) ? high : high + std::log1p(std::pow(base, low - high)) / std::log(base);
  if (std::isnan(x[0].value) || std::isnan(x[1].value)) value = std::numeric_limits<double>::quiet_NaN();
  const Pair result = settle(value, std::max(x[0].bound, x[1].bound), x[0].bound + x[1].bound);
  if (!std::isfinite(value)) return result;
  return {value, result.bound + (element.error + 4.0 * element.step.unit) * (1.0 + std::abs(high))};
}

// Not monotone: no slope is steeper than 1. The reduction error of large arguments is |x| u (oracles.md 3.1).
Pair wave(Pair x, const Element& element, double (*function)(double)) {
  const double value = function(x.value);
  if (!std::isfinite(value)) return settle(value, x.bound, x.bound);
  const double reduction = std::abs(x.value) > 4096.0 ? element.step.unit * std::abs(x.value) : 0.0;
  return {value, std::min(2.0, x.bound + element.error * std::abs(value) + reduction)};
}

}  // namespace

Pair exp(const Pair* x, const Element& element) { return approximated(x[0], element, ::exp); }
Pair log(const Pair* x, const Element& element) { return approximated(x[0], element, ::log); }
Pair rsqrt(const Pair* x, const Element& element) {
  return approximated(x[0], element, [](double a) { return 1.0 / std::sqrt(a); });
}
Pair tanh(const Pair* x, const Element& element) { return approximated(x[0], element, ::tanh); }
Pair erf(const Pair* x, const Element& element) { return approximated(x[0], element, ::erf); }

Pair exp2(const Pair* x, const Element& element) { return approximated(x[0], element, ::exp2); }
Pair expm1(const Pair* x, const Element& element) { return approximated(x[0], element, ::expm1); }
Pair log2(const Pair* x, const Element& element) { return approximated(x[0], element, ::log2); }
Pair log10(const Pair* x, const Element& element) { return approximated(x[0], element, ::log10); }
Pair log1p(const Pair* x, const Element& element) { return approximated(x[0], element, ::log1p); }
Pair asin(const Pair* x, const Element& element) { return approximated(x[0], element, ::asin); }
Pair acos(const Pair* x, const Element& element) { return approximated(x[0], element, ::acos); }
Pair atan(const Pair* x, const Element& element) { return approximated(x[0], element, ::atan); }
Pair sinh(const Pair* x, const Element& element) { return approximated(x[0], element, ::sinh); }
Pair asinh(const Pair* x, const Element& element) { return approximated(x[0], element, ::asinh); }
Pair acosh(const Pair* x, const Element& element) { return approximated(x[0], element, ::acosh); }
Pair atanh(const Pair* x, const Element& element) { return approximated(x[0], element, ::atanh); }
Pair erfc(const Pair* x, const Element& element) { return approximated(x[0], element, ::erfc); }

// Even, and monotone on either side of its minimum 1.
Pair cosh(const Pair* x, const Element& element) {
  const double value = std::cosh(x[0].value);
  double change = monotone_change(x[0], value, [](double a) { return std::cosh(a); });
  if (x[0].bound > 0.0 && std::abs(x[0].value) <= x[0].bound) change = std::max(change, value - 1.0);
  return with_error(settle(value, change, x[0].bound), element.error, element.step);
}

// Monotone between its poles.
Pair tan(const Pair* x, const Element& element) {
  const double value = std::tan(x[0].value);
  const auto branch = [](double a) { return std::floor(a / M_PI + 0.5); };
  if (x[0].bound > 0.0 && branch(x[0].value - x[0].bound) != branch(x[0].value + x[0].bound)) return {value, kUnknown};
  Pair result = approximated(x[0], element, [](double a) { return std::tan(a); });
  if (std::isfinite(value) && std::abs(x[0].value) > 4096.0) result.bound += element.step.unit * std::abs(x[0].value) * (1.0 + value * value);
  return result;
}

// The angle of (x1, x0): it turns by no more than the operands move as seen from the origin, and jumps by a whole turn across the negative x1 axis.
Pair atan2(const Pair* x, const Element& element) {
  const double value = std::atan2(x[0].value, x[1].value), moved = std::hypot(x[0].bound, x[1].bound);
  double change = 0.0;
  if (moved > 0.0) {
    const double radius = std::hypot(x[0].value, x[1].value) - moved;
    const bool jumps = x[1].value - x[1].bound <= 0.0 && std::abs(x[0].value) <= x[0].bound;
    change = jumps || !(radius > 0.0) ? 2.0 * M_PI : std::min(2.0 * M_PI, moved / radius);
  }
  return with_error(settle(value, change, moved), element.error, element.step);
}

// Neither slope is steeper than 1.
Pair hypot(const Pair* x, const Element& element) {
  const double value = std::hypot(x[0].value, x[1].value);
  return with_error(settle(value, x[0].bound + x[1].bound, x[0].bound + x[1].bound), element.error, element.step);
}

Pair logaddexp(const Pair* x, const Element& element) { return log_of_sum(x, element, M_E); }
Pair logaddexp2(const Pair* x, const Element& element) { return log_of_sum(x, element, 2.0); }

// 0 where x0 is 0, whatever the logarithm, unless that is NaN by NaN.
Pair xlogy(const Pair* x, const Element& element) {
  if (x[0].value == 0.0 && x[0].bound == 0.0) return {std::isnan(x[1].value) ? x[1].value : 0.0, x[1].bound == kUnknown ? kUnknown : 0.0};
  const Pair logarithm = approximated(x[1], element, ::log);
  if (std::isinf(x[0].value) && x[0].bound == 0.0 && std::abs(logarithm.value) > logarithm.bound) return {x[0].value * logarithm.value, 0.0};
  const Pair result = exact_product(x[0], logarithm);
  return rounded_once(result, element.step);
}

Pair sin(const Pair* x, const Element& element) { return wave(x[0], element, ::sin); }
Pair cos(const Pair* x, const Element& element) { return wave(x[0], element, ::cos); }

// Integer exponents up to 4 are repeated multiplication (n - 1 roundings, and a division when negative), others the function.
Pair power(const Pair* x, const Element& element) {
  const double value = std::pow(x[0].value, x[1].value);
  if (roots_differ(x[0].value, x[1])) return {value, kUnknown};
  const double bounds = x[0].bound + x[1].bound;
  double change = 0.0;
  if (bounds > 0.0) {
    const bool crosses_zero = std::abs(x[0].value) <= x[0].bound;
    for (const double a : {x[0].value - x[0].bound, x[0].value + x[0].bound, crosses_zero ? 0.0 : x[0].value}) {
      for (const double b : {x[1].value - x[1].bound, x[1].value + x[1].bound}) {
        const double difference = std::abs(std::pow(a, b) - value);
        change = std::max(change, std::isnan(difference) ? kUnknown : difference);
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

}  // namespace neuroncheck::oracles::functions
