#include "generators/complex.h"

namespace neuroncheck::generators {
namespace {

// A shape of at least one dimension, and the dimensions to transform. Never empty: MKL has no transform of no rows, and the CPU raises.
struct Transformed {
  Sizes sizes;
  Sizes dims;
};

Transformed draw_transformed(DraftBuilder& build) {
  const bool scalar = build.edge() == Edge::scalar;
  Transformed drawn{.sizes = draw_sizes(build.pick(), Edge::none, {.min_rank = 1, .max_rank = 3, .budget = scalar ? 1 : build.budget()}), .dims = {}};
  const auto rank = static_cast<std::int64_t>(drawn.sizes.size());
  for (std::int64_t dim = build.pick().chance(60) || rank == 1 ? rank - 1 : rank - 2; dim < rank; ++dim) drawn.dims.push_back(dim);
  return drawn;
}

Fills samples(Dtype dtype) { return {fill_of(FillKind::normal), counted(FillKind::exact_integer, 3), factors(dtype, 1)[0]}; }

// Dense: the strides of a transform follow those of its input, which an expanded one does not keep on its way to another device.
ValueRef real_input(DraftBuilder& build, const Sizes& sizes) {
  return made_contiguous(build, build.input(sizes, samples(build.dtype())), {LayoutKind::expanded});
}

std::int64_t normalization(DraftBuilder& build) { return build.pick().between(0, 2); }

ValueRef parts(DraftBuilder& build, ValueRef complex) { return build.call("aten::view_as_real", arguments(complex)); }

ValueRef complex_input(DraftBuilder& build, Sizes sizes, Fills fills) {
  sizes.push_back(2);
  const ValueRef x = contiguous_input(build, sizes, std::move(fills));  // the parts must lie side by side
  return build.call("aten::view_as_complex", arguments(x));
}

}  // namespace

Recipe transform_real() {
  return [](DraftBuilder& build) {
    const Transformed drawn = draw_transformed(build);
    const ValueRef x = real_input(build, drawn.sizes);
    build.returns(parts(build, build.call(arguments(x, list(drawn.dims), normalization(build), build.pick().chance(75)))));
  };
}

Recipe transform_complex() {
  return [](DraftBuilder& build) {
    const Transformed drawn = draw_transformed(build);
    const ValueRef x = complex_input(build, drawn.sizes, samples(build.dtype()));
    build.returns(parts(build, build.call(arguments(x, list(drawn.dims), normalization(build), build.pick().chance(50)))));
  };
}

Recipe transform_back() {
  return [](DraftBuilder& build) {
    const Transformed drawn = draw_transformed(build);
    const ValueRef x = real_input(build, drawn.sizes);
    const ValueRef spectrum = build.call("aten::_fft_r2c", arguments(x, list(drawn.dims), normalization(build), true));
    build.returns(build.call(arguments(spectrum, list(drawn.dims), normalization(build), drawn.sizes[static_cast<std::size_t>(drawn.dims.back())])));
  };
}

Recipe complex_of(FillsOf first, FillsOf second) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef a = build.input(sizes, first(build.dtype())), b = build.input(sizes, second(build.dtype()));
    build.returns(parts(build, build.call(arguments(a, b))));
  };
}

Recipe through_complex(const char* resolve) {
  return [=](DraftBuilder& build) {
    const ValueRef x = complex_input(build, build.sizes(), samples(build.dtype()));
    build.returns(parts(build, build.call(resolve, arguments(build.call(arguments(x))))));
  };
}

Recipe made_real() {
  return [](DraftBuilder& build) { build.returns(build.call(arguments(complex_input(build, build.sizes(), samples(build.dtype()))))); };
}

Recipe there_and_back() {
  return [](DraftBuilder& build) { build.returns(parts(build, complex_input(build, build.sizes(), markers(build.dtype())))); };
}

}  // namespace neuroncheck::generators
