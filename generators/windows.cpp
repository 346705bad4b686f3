#include "generators/windows.h"

#include <algorithm>

namespace neuroncheck::generators {

void Windows::add(const Window& window) {
  kernel.push_back(window.kernel);
  stride.push_back(window.stride);
  padding.push_back(window.padding);
  dilation.push_back(window.dilation);
  sizes.push_back(window.size);
}

Window draw_window(DraftBuilder& build, Padding padding, std::int64_t largest) {
  if (build.edge() == Edge::scalar) {
    return {};
  }
  Picker& pick = build.pick();
  Window window{.kernel = pick.between(1, 3), .stride = pick.between(1, 3), .dilation = pick.chance(70) ? 1 : 2};
  window.padding = padding == Padding::none ? 0 : pick.between(0, window.kernel / 2);
  const std::int64_t reach = window.dilation * (window.kernel - 1) + 1;
  window.size = std::max(reach, boundary_size(pick, largest));
  return window;
}

Windows draw_windows(DraftBuilder& build, int count) {
  Windows windows;
  for (int i = 0; i < count; ++i) {
    windows.add(draw_window(build, Padding::up_to_half_of_kernel, count == 3 ? 9 : kLargestImage));
  }
  return windows;
}

std::int64_t draw_batch(DraftBuilder& build) {
  switch (build.edge()) {
    case Edge::scalar:
      return 1;
    case Edge::empty:
      return 0;
    case Edge::none:
      break;
  }
  return build.pick().between(1, 3);
}

Sizes pooled_sizes(DraftBuilder& build, const Sizes& sizes) {
  const Sizes channels = {build.edge() == Edge::scalar ? 1 : build.pick().between(1, 4)};
  const bool batched = build.edge() == Edge::empty || build.pick().chance(80);
  return joined(batched ? joined({draw_batch(build)}, channels) : channels, sizes);
}

Sizes sizes_after(const Sizes& input, const Windows& windows, bool ceil_mode) {
  Sizes sizes = input;
  const std::size_t first = input.size() - windows.kernel.size();
  for (std::size_t i = 0; i < windows.kernel.size(); ++i) {
    const std::int64_t stride = windows.stride[i], padding = windows.padding[i];
    const std::int64_t reach = windows.dilation[i] * (windows.kernel[i] - 1) + 1, room = input[first + i] + 2 * padding - reach;
    std::int64_t& size = sizes[first + i];
    size = (room + (ceil_mode ? stride - 1 : 0)) / stride + 1;
    // The last window begins inside of the input or of its padding before.
    if (ceil_mode && (size - 1) * stride >= input[first + i] + padding) --size;
  }
  return sizes;
}

}  // namespace neuroncheck::generators
