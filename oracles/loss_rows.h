// Losses along a row of classes (oracles.md 3.3), in any order of summation. No torch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

// The mean: the sum or its terms divided, or multiplied with the rounded reciprocal.
Pair mean_of(std::span<const Pair> terms, const Step& step);

// The scores of a row, and the classes that are its targets.
struct ScoredRow {
  const std::vector<Pair>& scores;
  std::vector<std::int64_t> targets;
};

struct Margin {
  double margin = 1.0;
  bool squared = false;
};

// Mean over the classes of weight * max(0, margin - x[target] + x[i]), squared or not, for every target and every i that is none.
Pair margin_row(const ScoredRow& row, Pair weight, const Margin& margin, const Step& step);
// Its gradient times `factor`, which holds the weight.
std::vector<Pair> margin_backward_row(const ScoredRow& row, Pair factor, const Margin& margin, const Step& step);

}  // namespace neuroncheck::oracles
