#include "generators/shapes.h"

#include <algorithm>
#include <array>

namespace neuroncheck::generators {
namespace {

struct SizeGroup {
  std::int64_t first;
  std::int64_t last;
  int weight;
};

constexpr std::array kSizeGroups = {
    SizeGroup{1, 8, 46}, SizeGroup{15, 18, 14}, SizeGroup{31, 33, 12}, SizeGroup{63, 66, 10}, SizeGroup{127, 129, 10}, SizeGroup{511, 513, 8},
};

constexpr int kFullSize = rc::kNominalSize;

int draw_rank(Picker& pick, const ShapeLimits& limits) {
  static constexpr std::array kRankWeights = {0, 30, 35, 20, 12, 3};
  const int lowest = std::max(limits.min_rank, std::min(1, limits.max_rank));
  if (limits.max_rank <= lowest) {
    return lowest;
  }
  const auto from = kRankWeights.begin() + lowest;
  const auto to = kRankWeights.begin() + std::min<int>(limits.max_rank + 1, kRankWeights.size());
  return lowest + static_cast<int>(pick.weighted({from, to}));
}

}  // namespace

Edge edge_of(int slot) { return slot == 0 ? Edge::scalar : slot == 1 ? Edge::empty : Edge::none; }

// One slot in eight is large: beyond one tile in every direction.
int size_of_slot(int slot) { return slot % 8 == 7 ? kFullSize : kFullSize / 4; }

std::int64_t element_budget(int size) { return size >= kFullSize ? 16384 : 4096; }

std::int64_t boundary_size(Picker& pick, std::int64_t limit) {
  std::array<int, kSizeGroups.size()> weights{};
  for (std::size_t i = 0; i < kSizeGroups.size(); ++i) {
    weights[i] = kSizeGroups[i].first <= limit ? kSizeGroups[i].weight : 0;
  }
  const SizeGroup& group = kSizeGroups[pick.weighted(weights)];
  return pick.between(group.first, std::min(group.last, limit));
}

Sizes draw_sizes(Picker& pick, Edge edge, const ShapeLimits& limits) {
  if (edge == Edge::scalar) {
    return Sizes(static_cast<std::size_t>(limits.min_rank), 1);
  }
  Sizes sizes(static_cast<std::size_t>(draw_rank(pick, limits)));
  std::int64_t left = limits.budget;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    sizes[i] = boundary_size(pick, left);
    left /= sizes[i];
  }
  // The last dimension was drawn from the whole budget; now and then the first gets it.
  if (sizes.size() > 1 && pick.chance(40)) {
    std::swap(sizes.front(), sizes.back());
  }
  if (edge == Edge::empty && !sizes.empty()) {
    sizes[static_cast<std::size_t>(pick.below(static_cast<std::int64_t>(sizes.size())))] = 0;
  }
  return sizes;
}

Sizes broadcastable(Picker& pick, const Sizes& result) {
  const auto dropped = pick.chance(50) ? pick.below(static_cast<std::int64_t>(result.size()) + 1) : 0;
  Sizes sizes(result.begin() + dropped, result.end());
  for (std::int64_t& size : sizes) {
    if (pick.chance(30)) {
      size = 1;
    }
  }
  return sizes;
}

std::pair<Sizes, Sizes> broadcast_pair(Picker& pick, const Sizes& result) {
  static constexpr std::array kForms = {50, 20, 20, 10};  // alike, left is smaller, right is smaller, both
  switch (pick.weighted(kForms)) {
    case 0:
      return {result, result};
    case 1:
      return {broadcastable(pick, result), result};
    case 2:
      return {result, broadcastable(pick, result)};
    default:
      break;
  }
  // Each dimension is 1 in at most one of the two, so that together they make the result.
  Sizes left = result;
  Sizes right = result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    (pick.chance(50) ? left : right)[i] = 1;
  }
  return {left, right};
}

LayoutKind draw_layout(Picker& pick, const Sizes& sizes, Use use) {
  const bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  const int rank = static_cast<int>(sizes.size());
  const std::array<int, 6> weights = {40, rank >= 2 ? 18 : 0, rank >= 1 && !empty ? 12 : 0, rank >= 1 && !empty && use == Use::read ? 10 : 0,
                                      12, rank == 4 ? 25 : 0};
  return static_cast<LayoutKind>(pick.weighted(weights));
}

std::vector<Dim> dims_of(const Sizes& sizes) {
  std::vector<Dim> dims;
  dims.reserve(sizes.size());
  for (const std::int64_t size : sizes) {
    dims.push_back({.size = size});
  }
  return dims;
}

}  // namespace neuroncheck::generators
