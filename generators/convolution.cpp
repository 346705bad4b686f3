#include "generators/convolution.h"

#include <algorithm>

#include "generators/forms.h"
#include "generators/windows.h"

namespace neuroncheck::generators {

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
    const Fills choices = factors(build.dtype(), in * element_count(windows.kernel) + 1);
    const ValueRef input = build.input(joined({draw_batch(build), groups * in}, windows.sizes), choices);
    const Sizes weight_channels = transposed ? Sizes{groups * in, out} : Sizes{groups * out, in};
    const ValueRef weight = build.input(joined(weight_channels, windows.kernel), choices);
    // One-element kernels in this layout destroy the heap in torch 2.13's CPU backward when the stride is above 1.
    if (element_count(windows.kernel) == 1) made_contiguous(build, weight, {LayoutKind::channels_last});
    const Argument bias = pick.chance(60) ? argument(build.input({groups * out}, choices)) : none();
    const Sizes output_padding(windows.kernel.size(), 0);
    build.returns(build.call(arguments(input, weight, bias, list(windows.stride), list(windows.padding), list(windows.dilation), transposed,
                                       list(output_padding), groups)));
  };
}

namespace {

// One group or two, small channels; the output padding stays below stride and dilation.
Recipe convolution_of(int rank, bool transposed) {
  return [=](DraftBuilder& build) {
    Picker& pick = build.pick();
    const int dimensions = rank > 0 ? rank : static_cast<int>(pick.between(1, 3));
    Windows windows;
    for (int i = 0; i < dimensions; ++i) windows.add(draw_window(build, transposed ? Padding::none : Padding::up_to_half_of_kernel, 9));
    const bool small = build.edge() == Edge::scalar;
    const std::int64_t groups = small || pick.chance(60) ? 1 : 2, in = small ? 1 : pick.between(1, 4), out = small ? 1 : pick.between(1, 4);
    const Fills choices = factors(build.dtype(), in * element_count(windows.kernel) + 1);
    const ValueRef input = build.input(joined({draw_batch(build), groups * in}, windows.sizes), choices);
    const ValueRef weight = build.input(joined(transposed ? Sizes{groups * in, out} : Sizes{groups * out, in}, windows.kernel), choices);
    if (element_count(windows.kernel) == 1) made_contiguous(build, weight);  // see convolution()
    const Argument bias = pick.chance(60) ? argument(build.input({groups * out}, choices)) : none();
    Sizes output_padding(windows.kernel.size(), 0);
    for (std::size_t i = 0; i < output_padding.size(); ++i) {
      if (transposed && !small) output_padding[i] = pick.below(windows.stride[i]);
    }
    build.returns(build.call(arguments(input, weight, bias, list(windows.stride), list(windows.padding), list(windows.dilation), transposed,
                                       list(output_padding), groups)));
  };
}

}  // namespace

Recipe convolution_of_volumes() { return convolution_of(3, false); }
Recipe transposed_convolution() { return convolution_of(0, true); }

Recipe convolution_gradient() {
  return [](DraftBuilder& build) {
    Picker& pick = build.pick();
    const bool small = build.edge() == Edge::scalar;
    const Windows windows = draw_windows(build, static_cast<int>(pick.between(1, 3)));
    const std::int64_t groups = small || pick.chance(60) ? 1 : 2, in = small ? 1 : pick.between(1, 4), out = small ? 1 : pick.between(1, 4);
    const Sizes sizes = joined({draw_batch(build), groups * in}, windows.sizes);
    Sizes made = sizes_after(sizes, windows, false);
    made[1] = groups * out;
    const Fills choices = factors(build.dtype(), std::max(element_count(made), out * element_count(windows.kernel)) + 1);
    // Which memory format the gradients get of operands in different ones is no promise of torch's.
    const ValueRef grad = contiguous_input(build, made, choices), input = contiguous_input(build, sizes, choices);
    const ValueRef weight = contiguous_input(build, joined({groups * out, in}, windows.kernel), choices);
    const bool has_bias = pick.chance(60);
    const Sizes output_padding(windows.kernel.size(), 0);
    build.returns(build.call(arguments(grad, input, weight, has_bias ? list({groups * out}) : none(), list(windows.stride), list(windows.padding),
                                       list(windows.dilation), false, list(output_padding), groups, arguments(true, true, has_bias))),
                  has_bias ? 3 : 2);
  };
}

}  // namespace neuroncheck::generators
