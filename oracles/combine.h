// How the elements that meet at one place, in any order, become one: scatters with a reduction, segments. No torch.
#pragma once

#include <span>
#include <string_view>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

// torch's words: sum and add, prod and multiply, mean, amax and max, amin and min. Throws std::logic_error for any other.
enum class Combine : std::uint8_t { sum, product, mean, largest, smallest };
Combine parse_combine(std::string_view reduce);

// `terms` are not empty.
Pair combine(Combine how, std::span<const Pair> terms, const Step& step);

// The sum of the terms over a count of their own: division, or multiplication with the rounded reciprocal, of the sum or of each term.
Pair mean_over(std::span<const Pair> terms, double count, const Step& step);

}  // namespace neuroncheck::oracles
