#include "generators/pooling.h"

#include <algorithm>

#include "generators/forms.h"
#include "generators/windows.h"

namespace neuroncheck::generators {
namespace {

// Each element another value, so that every maximum is the only one of its window.
Fills distinct() { return {fill_of(FillKind::distinct)}; }

std::string with_dimensions(std::string_view before, int dimensions, std::string_view after = "d") {
  return std::string(before) + std::to_string(dimensions) + std::string(after);
}

// Volumes without a batch have four dimensions, and the kernels refuse the layout of images among them.
ValueRef pooled_input(DraftBuilder& build, const Sizes& sizes, Fills fills, int dimensions) {
  const ValueRef made = build.input(sizes, std::move(fills));
  return dimensions == 3 ? made_contiguous(build, made, {LayoutKind::channels_last}) : made;
}

std::int64_t largest_of(int dimensions) { return dimensions == 3 ? 9 : kLargestImage; }

Sizes draw_images(DraftBuilder& build, int dimensions) {
  Sizes sizes;
  for (int i = 0; i < dimensions; ++i) sizes.push_back(build.edge() == Edge::scalar ? 1 : boundary_size(build.pick(), largest_of(dimensions)));
  return sizes;
}

// The last dimensions of `sizes` replaced.
Sizes with_last(Sizes sizes, const Sizes& last) {
  std::copy(last.begin(), last.end(), sizes.end() - static_cast<std::ptrdiff_t>(last.size()));
  return sizes;
}

// Windows of a fractional pooling whose places no format rounds: (size - kernel) / (output - 1) is 1, 3/2 or 2, and the samples are quarters.
struct Fractions {
  Sizes kernel, output, sizes;
};

Fractions draw_fractions(DraftBuilder& build, int dimensions) {
  Fractions fractions;
  for (int i = 0; i < dimensions; ++i) {
    const bool small = build.edge() == Edge::scalar;
    const std::int64_t kernel = small ? 1 : build.pick().between(1, 3), output = small ? 1 : 1 + 2 * build.pick().between(0, 3);
    fractions.kernel.push_back(kernel);
    fractions.output.push_back(output);
    // Volumes have to be larger than kernel and output together.
    const std::int64_t halves = build.pick().between(dimensions == 3 ? 3 : 2, 4);
    fractions.sizes.push_back(output == 1 ? kernel + 1 : kernel + (output - 1) * halves / 2);
  }
  return fractions;
}

ValueRef draw_samples(DraftBuilder& build, const Sizes& sizes, int dimensions) {
  const bool batched = static_cast<int>(sizes.size()) == dimensions + 2;
  const Sizes of_planes = {batched ? sizes[0] : 1, batched ? sizes[1] : sizes[0], dimensions};
  const ValueRef samples = build.input(of_planes, {constant(0.25), constant(0.5), constant(0.75), constant(0)});
  build.spec(samples).requires_grad = false;
  return samples;
}

Sizes drawn_fractional(DraftBuilder& build, const Fractions& fractions) {
  Sizes sizes = pooled_sizes(build, fractions.sizes);
  if (build.edge() == Edge::empty) sizes[0] = 1;  // refused
  return sizes;
}

}  // namespace

Recipe average_pool(int dimensions) {
  return [=](DraftBuilder& build) {
    const Windows windows = draw_windows(build, dimensions);
    const ValueRef self = pooled_input(build, pooled_sizes(build, windows.sizes), terms(build.dtype(), element_count(windows.kernel)), dimensions);
    Picker& pick = build.pick();
    const Argument stride = pick.chance(25) ? list({}) : list(windows.stride);
    const bool ceil_mode = pick.chance(30);
    const bool count_padding = pick.chance(70);
    ArgumentList in = arguments(self, list(windows.kernel), stride, list(windows.padding), ceil_mode, count_padding);
    if (dimensions > 1) in.push_back(pick.chance(80) ? none() : argument(pick.between(1, 4)));
    build.returns(build.call(std::move(in)));
  };
}

Recipe max_pool(int dimensions) {
  return [=](DraftBuilder& build) {
    const Windows windows = draw_windows(build, dimensions);
    const ValueRef self = pooled_input(build, pooled_sizes(build, windows.sizes), ordered(build.dtype()), dimensions);
    const bool ceil_mode = build.pick().chance(30);
    build.returns(build.call(arguments(self, list(windows.kernel), list(windows.stride), list(windows.padding), list(windows.dilation), ceil_mode)),
                  2);
  };
}

Recipe average_pool_gradient(int dimensions) {
  return [=](DraftBuilder& build) {
    const Windows windows = draw_windows(build, dimensions);
    const Sizes sizes = pooled_sizes(build, windows.sizes);
    Picker& pick = build.pick();
    Windows undilated = windows;
    std::fill(undilated.dilation.begin(), undilated.dilation.end(), 1);
    const bool ceil_mode = pick.chance(30), count_padding = pick.chance(70);
    const ValueRef grad =
        pooled_input(build, sizes_after(sizes, undilated, ceil_mode), terms(build.dtype(), element_count(windows.kernel)), dimensions);
    const ValueRef self = pooled_input(build, sizes, markers(build.dtype()), dimensions);
    const Argument divisor = pick.chance(80) ? none() : argument(pick.between(1, 4));
    build.returns(
        build.call(arguments(grad, self, list(windows.kernel), list(windows.stride), list(windows.padding), ceil_mode, count_padding, divisor)));
  };
}

Recipe max_pool_gradient(int dimensions) {
  return [=](DraftBuilder& build) {
    const Windows windows = draw_windows(build, dimensions);
    const Sizes sizes = pooled_sizes(build, windows.sizes);
    const bool ceil_mode = build.pick().chance(30);
    const ValueRef grad =
        pooled_input(build, sizes_after(sizes, windows, ceil_mode), terms(build.dtype(), element_count(windows.kernel)), dimensions);
    const ValueRef self = pooled_input(build, sizes, distinct(), dimensions);
    const ArgumentList rest = arguments(list(windows.kernel), list(windows.stride), list(windows.padding), list(windows.dilation), ceil_mode);
    const ValueRef made = build.call(with_dimensions("aten::max_pool", dimensions, "d_with_indices"), joined(arguments(self), rest));
    const ArgumentList indices = arguments(ValueRef{.node = made.node, .index = 1});
    build.returns(build.call(joined(joined(arguments(grad, self), rest), indices)));
  };
}

Recipe adaptive_average_pool(int dimensions) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = pooled_sizes(build, draw_images(build, dimensions));
    const ValueRef self = pooled_input(build, sizes, terms(build.dtype(), element_count(sizes)), dimensions);
    build.returns(build.call(arguments(self, list(draw_images(build, dimensions)))));
  };
}

Recipe adaptive_max_pool(int dimensions) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = pooled_sizes(build, draw_images(build, dimensions));
    const ValueRef self = pooled_input(build, sizes, ordered(build.dtype()), dimensions);
    build.returns(build.call(arguments(self, list(draw_images(build, dimensions)))), 2);
  };
}

Recipe adaptive_average_pool_gradient(int dimensions) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = pooled_sizes(build, draw_images(build, dimensions));
    const ValueRef grad = pooled_input(build, with_last(sizes, draw_images(build, dimensions)), terms(build.dtype(), 64), dimensions);
    build.returns(build.call(arguments(grad, pooled_input(build, sizes, markers(build.dtype()), dimensions))));
  };
}

Recipe adaptive_max_pool_gradient(int dimensions) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = pooled_sizes(build, draw_images(build, dimensions)), output = draw_images(build, dimensions);
    const ValueRef self = pooled_input(build, sizes, distinct(), dimensions);
    const ValueRef grad = pooled_input(build, with_last(sizes, output), terms(build.dtype(), 64), dimensions);
    const ValueRef made = build.call(with_dimensions("aten::adaptive_max_pool", dimensions), arguments(self, list(output)));
    build.returns(build.call(arguments(grad, self, ValueRef{.node = made.node, .index = 1})));
  };
}

Recipe max_unpool(int dimensions) {
  return [=](DraftBuilder& build) {
    const Sizes small = draw_images(build, dimensions);
    Sizes whole = small, kernel;
    for (std::int64_t& size : whole) {
      kernel.push_back(build.edge() == Edge::scalar ? 1 : build.pick().between(1, 2));
      size *= kernel.back();
    }
    const Sizes pooled = pooled_sizes(build, small), none_padded(kernel.size(), 0), undilated(kernel.size(), 1);
    const ValueRef source = pooled_input(build, with_last(pooled, whole), distinct(), dimensions),
                   self = pooled_input(build, pooled, markers(build.dtype()), dimensions);
    const ValueRef made = build.call(with_dimensions("aten::max_pool", dimensions, "d_with_indices"),
                                     arguments(source, list(kernel), list(kernel), list(none_padded), list(undilated), false));
    ArgumentList in = arguments(self, ValueRef{.node = made.node, .index = 1}, list(whole));
    if (dimensions == 3) {
      in.push_back(list(kernel));
      in.push_back(list(none_padded));
    }
    build.returns(build.call(std::move(in)));
  };
}

Recipe fractional_max_pool(int dimensions) {
  return [=](DraftBuilder& build) {
    const Fractions fractions = draw_fractions(build, dimensions);
    const Sizes sizes = drawn_fractional(build, fractions);
    const ValueRef self = pooled_input(build, sizes, ordered(build.dtype()), dimensions);
    const ValueRef samples = draw_samples(build, sizes, dimensions);
    build.returns(build.call(arguments(self, list(fractions.kernel), list(fractions.output), samples)), 2);
  };
}

Recipe fractional_max_pool_gradient(int dimensions) {
  return [=](DraftBuilder& build) {
    const Fractions fractions = draw_fractions(build, dimensions);
    const Sizes sizes = drawn_fractional(build, fractions);
    const ValueRef self = pooled_input(build, sizes, distinct(), dimensions), samples = draw_samples(build, sizes, dimensions);
    const ValueRef grad = pooled_input(build, with_last(sizes, fractions.output), terms(build.dtype(), element_count(fractions.kernel)), dimensions);
    const ValueRef made = build.call(with_dimensions("aten::fractional_max_pool", dimensions),
                                     arguments(self, list(fractions.kernel), list(fractions.output), samples));
    build.returns(build.call(arguments(grad, self, list(fractions.kernel), list(fractions.output), ValueRef{.node = made.node, .index = 1})));
  };
}

}  // namespace neuroncheck::generators
