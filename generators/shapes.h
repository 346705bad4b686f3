// Sizes and layouts. Sizes come from weighted tables of the boundaries where tiles and vectors begin and end, not from ranges, and never hold more
// elements than the budget.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "generators/picker.h"
#include "harness/tensor_spec.h"

namespace neuroncheck::generators {

using Sizes = std::vector<std::int64_t>;

// What a slot is for. Slot 0 and 1 are the edges, so that every run has them.
enum class Edge : std::uint8_t { scalar, empty, none };
Edge edge_of(int slot);

// The RapidCheck size of a slot, and the elements that a tensor may hold at a size.
int size_of_slot(int slot);
std::int64_t element_budget(int size);

// A boundary size in [1, limit].
std::int64_t boundary_size(Picker& pick, std::int64_t limit);

struct ShapeLimits {
  int min_rank = 0;
  int max_rank = 4;
  std::int64_t budget = 4096;
};

// Edge scalar: min_rank dimensions of size 1. Edge empty: one dimension (any) is 0.
Sizes draw_sizes(Picker& pick, Edge edge, const ShapeLimits& limits);

// Two shapes that broadcast to `result`: dimensions set to 1 and leading dimensions left off, in one of the two or in both.
std::pair<Sizes, Sizes> broadcast_pair(Picker& pick, const Sizes& result);
// A shape that broadcasts to `result`.
Sizes broadcastable(Picker& pick, const Sizes& result);

enum class Use : std::uint8_t { read, written };  // what is written must not be expanded

LayoutKind draw_layout(Picker& pick, const Sizes& sizes, Use use);

std::vector<Dim> dims_of(const Sizes& sizes);

}  // namespace neuroncheck::generators
