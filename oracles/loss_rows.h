// Losses along a row of classes (oracles.md 3.3), in any order of summation. No torch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

// The mean: the sum or its terms divided, or multiplied with the rounded reciprocal.
Pair mean_of(std::span<const Pair> terms, const Step& step);

struct Margin {
  double margin = 1.0;
  bool squared = false;
};

// Mean over the classes of weight * max(0, margin - x[target] + x[i]), squared or not, for every target and every i that is none.
Pair margin_row(const std::vector<Pair>& row, const std::vector<std::int64_t>& targets, Pair weight, const Margin& margin, const Step& step);
// Its gradient times `factor`, which holds the weight.
std::vector<Pair> margin_backward_row(const std::vector<Pair>& row, const std::vector<std::int64_t>& targets, Pair factor, const Margin& margin,
                                      const Step& step);

}  // namespace neuroncheck::oracles
