#include "generators/strided_window.h"

#include <algorithm>

namespace neuroncheck::generators {

StridedWindow draw_window(DraftBuilder& build, std::int64_t elements, Overlap overlap) {
  Picker& pick = build.pick();
  const std::int64_t offset = pick.chance(40) ? 0 : pick.between(0, std::max<std::int64_t>(std::min<std::int64_t>(elements - 1, 5), 0));
  StridedWindow window{.sizes = {}, .strides = {}, .offset = offset == 0 && pick.chance(50) ? none() : argument(offset)};
  if (elements == 0) {
    window.sizes = {0, pick.between(0, 2)};
    window.strides = {1, 1};
    return window;
  }
  std::int64_t left = elements - 1 - offset;  // by how much the last index may still move
  std::int64_t extent = 1;                    // the smallest stride that keeps elements apart
  std::int64_t room = build.budget();         // by how much the window may still grow
  for (std::int64_t rank = pick.between(0, 3); rank > 0; --rank) {
    const bool apart = overlap == Overlap::never;
    const std::int64_t stride = apart ? extent + pick.between(0, 1) : pick.between(0, 3);
    const std::int64_t most = stride == 0 ? 3 : left / stride + 1;
    const std::int64_t size = boundary_size(pick, std::min({most, room, std::int64_t{66}}));
    window.sizes.push_back(size);
    window.strides.push_back(stride);
    left -= (size - 1) * stride;
    extent = std::max(extent, size * stride);
    room /= size;
  }
  if (pick.chance(60)) {
    std::reverse(window.sizes.begin(), window.sizes.end());
    std::reverse(window.strides.begin(), window.strides.end());
  }
  return window;
}

}  // namespace neuroncheck::generators
