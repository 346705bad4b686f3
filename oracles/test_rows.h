// A float32 device for tests of formulas over pairs: its step, its rounding, rows of numbers and sums in blocks.
#pragma once

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

// float32 all through, any order of summation.
inline Step float_step() {
  Step step;
  step.unit = std::ldexp(1.0, -24);
  step.smallest = std::ldexp(1.0, -126);
  step.tiny = std::ldexp(1.0, -150);
  step.largest = std::numeric_limits<float>::max();
  step.summation = 1.0;
  step.height = sequential_height;
  step.precision = 24;
  step.exp_error = step.log_error = 6.0 * step.unit;
  step.rsqrt_error = 4.0 * step.unit;
  return step;
}

inline bool holds(Pair reference, double device) {
  const double distance = std::abs(device - reference.value);
  const double rounding = std::ldexp(std::abs(reference.value) + reference.bound, -24) + std::ldexp(1.0, -150);  // the final one
  return distance <= reference.bound + rounding;
}

inline std::vector<float> draw_floats(std::size_t least) {
  const auto size = *rc::gen::inRange<std::size_t>(least, 300);
  const double spread = *rc::gen::element(0.0, 4.0, 20.0);
  std::vector<float> result;
  for (std::size_t i = 0; i < size; ++i) {
    const double unit = static_cast<double>(*rc::gen::inRange(-1000000, 1000001)) / 1e6;
    const double exponent = static_cast<double>(*rc::gen::inRange(-100, 101)) / 100.0;
    result.push_back(static_cast<float>(unit * std::exp2(spread * exponent)));
  }
  return result;
}

inline std::vector<Pair> exact_pairs(const std::vector<float>& values) {
  std::vector<Pair> result;
  for (const float value : values) result.push_back({value, 0.0});
  return result;
}

inline float blocked_sum(const std::vector<float>& values, std::size_t block) {
  float total = 0.0F;
  for (std::size_t first = 0; first < values.size(); first += block) {
    float part = 0.0F;
    for (std::size_t i = first; i < std::min(first + block, values.size()); ++i) part += values[i];
    total += part;
  }
  return total;
}

}  // namespace neuroncheck::oracles
