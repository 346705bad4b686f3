// How complicated a case is: what every step of shrinking makes strictly smaller, so that shrinking ends.
#pragma once

#include <array>
#include <cstdint>

#include "harness/program.h"

namespace neuroncheck {

// Compared in order: nodes, outputs, inputs, bindings, symbols, dimensions and list arguments, sizes, integers, layouts and gradients, fills,
// floating arguments, literal elements.
using Measure = std::array<std::int64_t, 12>;
Measure measure_of(const Case& test_case);

// 0, then 1, then small integers, then numbers of few bits.
std::int64_t cost_of(double number);
// The literal element as a number; complex elements by their real part.
double number_of(Dtype dtype, std::uint64_t bits);
std::uint64_t bits_of(Dtype dtype, double number);

}  // namespace neuroncheck
