// What the functions of element_functions.h are made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "oracles/element_functions.h"

namespace neuroncheck::oracles::functions {

inline constexpr double kUnknown = std::numeric_limits<double>::infinity();  // a bound behind which nothing is known

// The device rounds once, to the output dtype, when its operands are exact; unrounded operands of a fused op may meet one more rounding.
inline Pair rounded_once(Pair a, const Step& step) {
  if (a.bound > 0.0 && std::isfinite(a.value)) a.bound += step.unit * std::abs(a.value) + step.tiny;
  return a;
}

template <typename Function>
Pair monotone(Pair a, Function function) {
  const double value = function(a.value);
  return settle(value, monotone_change(a, value, function), a.bound);
}

// A function's own error: a relative one, and an absolute one where it underflows in the middle.
inline Pair with_error(Pair result, double error, const Step& step) {
  if (!std::isfinite(result.value)) return result;
  result.bound += error * (std::abs(result.value) + result.bound);
  if (result.value != 0.0 && std::abs(result.value) < 2.0 * step.smallest) result.bound += step.smallest;
  return result;
}

inline Pair approximated(Pair a, const Element& element, double (*function)(double)) {
  return with_error(monotone(a, function), element.error, element.step);
}

inline Pair truth(bool value, bool ambiguous) { return {value ? 1.0 : 0.0, ambiguous ? 1.0 : 0.0}; }

// A product or quotient that is added next: rounded by itself it is infinite, fused it is not, and both are legal.
inline bool overflows_between(std::initializer_list<double> operands, double between, const Step& step) {
  return std::abs(between) > step.largest && std::all_of(operands.begin(), operands.end(), [](double x) { return std::isfinite(x); });
}

inline constexpr double kInverseSqrt2 = 0.70710678118654752440;

inline double sigmoid_of(double x) { return x >= 0.0 ? 1.0 / (1.0 + std::exp(-x)) : std::exp(x) / (1.0 + std::exp(x)); }

// Of the tanh form of gelu.
inline double tanh_argument(double x) { return std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x); }

}  // namespace neuroncheck::oracles::functions
