// Windows that slide over the last dimensions of an input: what convolutions and poolings share.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

// One window sliding over one dimension.
struct Window {
  std::int64_t kernel = 1, stride = 1, padding = 0, dilation = 1, size = 1;
};

struct Windows {
  Sizes kernel, stride, padding, dilation, sizes;

  void add(const Window& window);
};

enum class Padding : std::uint8_t { none, up_to_half_of_kernel };

constexpr std::int64_t kLargestImage = 33;

Window draw_window(DraftBuilder& build, Padding padding, std::int64_t largest = kLargestImage);
// Of one, two or three dimensions; of three, small ones.
Windows draw_windows(DraftBuilder& build, int count);

std::int64_t draw_batch(DraftBuilder& build);

// A pooled input, N, C, ... or C, ..., over windows of these sizes.
Sizes pooled_sizes(DraftBuilder& build, const Sizes& sizes);
// What a pooling with these windows makes of its input, as torch computes it.
Sizes sizes_after(const Sizes& input, const Windows& windows, bool ceil_mode);

}  // namespace neuroncheck::generators
