#include "generators/along.h"

#include <algorithm>
#include <numeric>

namespace neuroncheck::generators {

std::size_t position_of(std::int64_t dim, std::size_t rank) {
  return rank == 0 ? 0 : static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim);
}

std::int64_t Along::size_in(const Sizes& other) const { return other.empty() ? 1 : other[at]; }

Sizes Along::resized(std::int64_t count) const {
  Sizes result = sizes;
  if (!result.empty()) result[at] = count;
  return result;
}

Along draw_along(DraftBuilder& build, int min_rank, Empty empty) {
  Along along{.sizes = build.sizes(min_rank)};
  along.dim = dimension(build, along.sizes.size());
  along.at = position_of(along.dim, along.sizes.size());
  if (along.sizes.empty()) return along;
  if (along.sizes[along.at] == 0 && empty == Empty::never) {
    along.sizes[along.at] = 2;
    if (along.sizes.size() == 1) {
      along.sizes = {0, 2};
      along.dim = along.at = 1;
    } else {
      along.sizes[along.at == 0 ? 1 : 0] = 0;
    }
  }
  along.size = along.sizes[along.at];
  return along;
}

std::int64_t Range::length(std::int64_t size) const {
  const auto clamped = [&](std::int64_t place) { return std::clamp<std::int64_t>(place < 0 ? place + size : place, 0, size); };
  return (std::max(clamped(end), clamped(start)) - clamped(start) + step - 1) / step;
}

Range draw_range(DraftBuilder& build, std::int64_t size) {
  Picker& pick = build.pick();
  return {.start = pick.between(-size - 1, size), .end = pick.between(-size - 1, size + 2), .step = pick.between(1, 3)};
}

std::pair<std::int64_t, std::int64_t> two_dimensions(DraftBuilder& build, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  const std::int64_t first = build.pick().below(count);
  const std::int64_t second = (first + build.pick().between(1, count - 1)) % count;
  const auto written = [&](std::int64_t dim) { return build.pick().chance(40) ? dim - count : dim; };
  const std::int64_t written_first = written(first);
  return {written_first, written(second)};
}

Sizes some_dimensions(DraftBuilder& build, std::size_t rank) {
  Sizes dims;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto dim = static_cast<std::int64_t>(i);
    if (build.pick().chance(60)) dims.push_back(build.pick().chance(30) ? dim - static_cast<std::int64_t>(rank) : dim);
  }
  return dims;
}

Sizes shuffled_dimensions(DraftBuilder& build, std::size_t rank) {
  Sizes order(rank);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(build.pick().below(static_cast<std::int64_t>(i)))]);
  }
  return order;
}

}  // namespace neuroncheck::generators
