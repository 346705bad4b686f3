// Smaller tensors: cutting a spec along its dimensions, literal values included.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/program.h"

namespace neuroncheck {

// What is kept of a dimension: `count` rows from `first` on.
struct Cut {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t dropped = -1;  // one row taken out instead; then first is 0 and count the rows that are left
};

// Whether values move along with a cut: literals, and sweeps in one dimension.
bool keeps_values(const TensorSpec& spec);
// Values of literals and of sweeps in one dimension move along; drawn values depend on coordinates alone, so that `first` says nothing there.
TensorSpec cut(TensorSpec spec, std::size_t dim, const Cut& kept);
// Without dimension `dim`: its row 0.
TensorSpec without_dim(TensorSpec spec, std::size_t dim);
// The same values, as literals.
TensorSpec as_literal(TensorSpec spec);

// Every dimension and bound symbol of size `size`, and what goes with them: index bounds and numbers in list arguments.
Case cut_everywhere(Case test_case, std::int64_t size, const Cut& kept);

}  // namespace neuroncheck
