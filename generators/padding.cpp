#include "generators/padding.h"

#include <algorithm>

namespace neuroncheck::generators {
namespace {

struct Padded {
  Sizes sizes, result;
  Sizes padding;  // of the last dimension first: before, behind
};

// How much one side of a dimension of this size grows; now and then it shrinks.
std::int64_t side(DraftBuilder& build, PaddingMode mode, std::int64_t size) {
  if (size > 2 && build.pick().chance(12)) return -1;
  const std::int64_t most = mode == PaddingMode::reflection ? size - 1 : 4;
  return build.pick().between(0, std::min<std::int64_t>(most, 4));
}

Padded draw_padded(DraftBuilder& build, PaddingMode mode, int spatial) {
  Sizes sizes = draw_sizes(build.pick(), Edge::none, {.min_rank = spatial + 1, .max_rank = spatial + 1, .budget = build.budget() / 4});
  if (build.edge() == Edge::scalar) sizes.assign(sizes.size(), 1);
  const bool batch = build.edge() == Edge::empty || build.pick().chance(60);  // only a batch may be empty
  if (batch) sizes.insert(sizes.begin(), build.edge() == Edge::empty ? 0 : build.pick().between(1, 3));
  Padded padded{.sizes = sizes, .result = sizes, .padding = {}};
  for (int i = 0; i < spatial; ++i) {
    const std::size_t at = sizes.size() - 1 - static_cast<std::size_t>(i);
    const std::int64_t before = side(build, mode, sizes[at]), behind = side(build, mode, sizes[at]);
    padded.padding.insert(padded.padding.end(), {before, behind});
    padded.result[at] += before + behind;
  }
  return padded;
}

// Pairs of numbers, for height and width.
struct Windows {
  Sizes kernel, dilation, padding, stride;
  Sizes input;   // spatial sizes
  Sizes counts;  // of windows
};

Windows draw_windows(DraftBuilder& build) {
  Windows drawn;
  for (int i = 0; i < 2; ++i) {
    const std::int64_t kernel = build.pick().between(1, 3), dilation = build.pick().between(1, 2);
    const std::int64_t padding = build.pick().between(0, 2), stride = build.pick().between(1, 3);
    const std::int64_t reach = dilation * (kernel - 1) + 1;
    const std::int64_t input = std::max<std::int64_t>(reach - 2 * padding, 1) + boundary_size(build.pick(), i == 0 ? 8 : 33) - 1;
    drawn.kernel.push_back(kernel);
    drawn.dilation.push_back(dilation);
    drawn.padding.push_back(padding);
    drawn.stride.push_back(stride);
    drawn.input.push_back(input);
    drawn.counts.push_back((input + 2 * padding - reach) / stride + 1);
  }
  return drawn;
}

// (channels) or (batch, channels).
Sizes leading(DraftBuilder& build, std::int64_t channels) {
  if (build.edge() == Edge::empty) return {0, channels};
  return build.pick().chance(60) ? Sizes{build.pick().between(1, 3), channels} : Sizes{channels};
}

}  // namespace

Recipe pad_edges(PaddingMode mode, int spatial, Form form) {
  return [=](DraftBuilder& build) {
    const Padded drawn = draw_padded(build, mode, spatial);
    const ValueRef self = build.input(drawn.sizes, markers(build.dtype()));
    call_and_return(build, form, arguments(self, list(drawn.padding)), {drawn.result, build.dtype()});
  };
}

Recipe pad_edges_backward(PaddingMode mode, int spatial) {
  return [=](DraftBuilder& build) {
    const Padded drawn = draw_padded(build, mode, spatial);
    const std::int64_t most = mode == PaddingMode::reflection ? 3 : 9;
    const ValueRef grad = build.input(drawn.result, terms(build.dtype(), spatial == 1 ? most : spatial == 2 ? most * most : most * most * most));
    const ValueRef self = build.input(drawn.sizes, markers(build.dtype()));
    // Of a volume without a batch channels_last means nothing: kernels do not agree on the result's strides.
    if (spatial == 3) made_contiguous(build, self, {LayoutKind::channels_last});
    build.returns(build.call(arguments(grad, self, list(drawn.padding))));
  };
}

Recipe pad() {
  return [](DraftBuilder& build) {
    const auto mode = build.pick().one_of({"constant", "reflect", "replicate", "circular"});
    const bool constant = std::string_view(mode) == "constant";
    const int spatial = static_cast<int>(build.pick().between(1, 3));
    const Padded drawn = draw_padded(build, PaddingMode::reflection, spatial);
    const ValueRef self = build.input(drawn.sizes, markers(build.dtype()));
    const Argument value = constant && build.pick().chance(60) ? argument(build.pick().one_of({0.5, -1.25, 3.0})) : none();
    build.returns(build.call(arguments(self, list(drawn.padding), mode, value)));
  };
}

Recipe im2col() {
  return [](DraftBuilder& build) {
    const Windows drawn = draw_windows(build);
    const Sizes sizes = joined(leading(build, build.pick().between(1, 4)), drawn.input);
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, list(drawn.kernel), list(drawn.dilation), list(drawn.padding), list(drawn.stride))));
  };
}

Recipe col2im() {
  return [](DraftBuilder& build) {
    const Windows drawn = draw_windows(build);
    const std::int64_t positions = drawn.kernel[0] * drawn.kernel[1];
    Sizes sizes = leading(build, build.pick().between(1, 4) * positions);
    sizes.push_back(drawn.counts[0] * drawn.counts[1]);
    const ValueRef self = build.input(sizes, terms(build.dtype(), positions));
    build.returns(build.call(arguments(self, list(drawn.input), list(drawn.kernel), list(drawn.dilation), list(drawn.padding), list(drawn.stride))));
  };
}

}  // namespace neuroncheck::generators
