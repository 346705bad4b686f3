#include "generators/convolution.h"

#include <algorithm>

namespace neuroncheck::generators {
namespace {

// One window sliding over one dimension.
struct Window {
  std::int64_t kernel = 1, stride = 1, padding = 0, dilation = 1, size = 1;
};

struct Windows {
  Sizes kernel, stride, padding, dilation, sizes;

  void add(const Window& window) {
    kernel.push_back(window.kernel);
    stride.push_back(window.stride);
    padding.push_back(window.padding);
    dilation.push_back(window.dilation);
    sizes.push_back(window.size);
  }
};

enum class Padding : std::uint8_t { none, up_to_half_of_kernel };

Window draw_window(DraftBuilder& build, Padding padding) {
  if (build.edge() == Edge::scalar) {
    return {};
  }
  Picker& pick = build.pick();
  Window window{.kernel = pick.between(1, 3), .stride = pick.between(1, 3), .dilation = pick.chance(70) ? 1 : 2};
  window.padding = padding == Padding::none ? 0 : pick.between(0, window.kernel / 2);
  const std::int64_t reach = window.dilation * (window.kernel - 1) + 1;
  window.size = std::max(reach, boundary_size(pick, 33));
  return window;
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

std::int64_t product(const Sizes& sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) {
    count *= size;
  }
  return count;
}

Sizes joined(Sizes sizes, const Sizes& more) {
  sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

// A pooled input, N, C, H, W or C, H, W, and its windows.
Sizes pooled_sizes(DraftBuilder& build, const Windows& windows) {
  const Sizes channels = {build.edge() == Edge::scalar ? 1 : build.pick().between(1, 4)};
  const bool batched = build.edge() == Edge::empty || build.pick().chance(80);
  return joined(batched ? joined({draw_batch(build)}, channels) : channels, windows.sizes);
}

Windows two_windows(DraftBuilder& build) {
  Windows windows;
  windows.add(draw_window(build, Padding::up_to_half_of_kernel));
  windows.add(draw_window(build, Padding::up_to_half_of_kernel));
  return windows;
}

}  // namespace

Recipe convolution() {
  return [](DraftBuilder& build) {
    Picker& pick = build.pick();
    const bool transposed = build.edge() == Edge::none && pick.chance(15);
    Windows windows;
    const int rank = pick.chance(75) ? 2 : 1;
    for (int i = 0; i < rank; ++i) {
      windows.add(draw_window(build, transposed ? Padding::none : Padding::up_to_half_of_kernel));
    }
    const bool small = build.edge() == Edge::scalar;
    const std::int64_t groups = small || pick.chance(60) ? 1 : 2;
    const std::int64_t in = small ? 1 : pick.between(1, 4);  // channels of a group
    const std::int64_t out = small ? 1 : pick.between(1, 4);
    const Fills choices = factors(build.dtype(), in * product(windows.kernel) + 1);
    const ValueRef input = build.input(joined({draw_batch(build), groups * in}, windows.sizes), choices);
    const Sizes weight_channels = transposed ? Sizes{groups * in, out} : Sizes{groups * out, in};
    const ValueRef weight = build.input(joined(weight_channels, windows.kernel), choices);
    // One-element kernels in this layout destroy the heap in torch 2.13's CPU backward when the stride is above 1.
    TensorSpec& weights = build.spec(weight);
    if (product(windows.kernel) == 1 && weights.layout == LayoutKind::channels_last) weights.layout = LayoutKind::contiguous;
    const Argument bias = pick.chance(60) ? argument(build.input({groups * out}, choices)) : none();
    const Sizes output_padding(windows.kernel.size(), 0);
    build.returns(build.call(arguments(input, weight, bias, list(windows.stride), list(windows.padding), list(windows.dilation), transposed,
                                       list(output_padding), groups)));
  };
}

Recipe average_pool() {
  return [](DraftBuilder& build) {
    const Windows windows = two_windows(build);
    const ValueRef self = build.input(pooled_sizes(build, windows), terms(build.dtype(), product(windows.kernel)));
    Picker& pick = build.pick();
    const Argument stride = pick.chance(25) ? list({}) : list(windows.stride);
    const bool ceil_mode = pick.chance(30);
    const bool count_padding = pick.chance(70);
    const Argument divisor = pick.chance(80) ? none() : argument(pick.between(1, 4));
    build.returns(build.call(arguments(self, list(windows.kernel), stride, list(windows.padding), ceil_mode, count_padding, divisor)));
  };
}

Recipe max_pool() {
  return [](DraftBuilder& build) {
    const Windows windows = two_windows(build);
    const ValueRef self = build.input(pooled_sizes(build, windows), ordered(build.dtype()));
    const bool ceil_mode = build.pick().chance(30);
    build.returns(build.call(arguments(self, list(windows.kernel), list(windows.stride), list(windows.padding), list(windows.dilation), ceil_mode)),
                  2);
  };
}

}  // namespace neuroncheck::generators
