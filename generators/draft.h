// What a generator draws: a case, and for each input which fills make sense there. Structure (shapes, layouts, static arguments) comes from one
// seed, values from another, so that many value sets share a compile key.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/program.h"

namespace neuroncheck::generators {

// Raised by one whenever the same row, seed and number would draw another case: part of a suite's fingerprint.
inline constexpr int kGeneratorsVersion = 2;

// What a generator needs to know to draw one structure.
struct DrawRequest {
  Dtype dtype = Dtype::float32;
  int slot = 0;  // number of the compile key within row x dtype; small slots are the edges (0-dim, empty), so that every run has them
};

struct Draft {
  Case test_case;
  std::vector<std::vector<Fill>> fills;  // per input: the choices, without seeds; empty: keep the fill that is there
};

// The case with a fill for every input chosen, and seeded, from `seed` alone. Pure.
Case with_values(const Draft& draft, std::uint64_t seed);

}  // namespace neuroncheck::generators
