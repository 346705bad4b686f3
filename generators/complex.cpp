#include "generators/complex.h"

namespace neuroncheck::generators {
namespace {

// A shape of at least one dimension, and the dimensions to transform: none of them empty.
struct Transformed {
  Sizes sizes;
  Sizes dims;
};

Transformed draw_transformed(DraftBuilder& build) {
  Transformed drawn{.sizes = draw_sizes(build.pick(), build.edge() == Edge::scalar ? Edge::none : build.edge(),
                                        {.min_rank = 1, .max_rank = 3, .budget = build.edge() == Edge::scalar ? 1 : build.budget()}),
                    .dims = {}};
  if (build.edge() == Edge::empty) drawn.sizes.push_back(boundary_size(build.pick(), 16));
  const auto rank = static_cast<std::int64_t>(drawn.sizes.size());
  const std::int64_t wanted = build.pick().chance(60) ? 1 : 2;
  for (std::int64_t dim = rank - 1; dim >= 0 && static_cast<std::int64_t>(drawn.dims.size()) < wanted; --dim) {
    if (drawn.sizes[static_cast<std::size_t>(dim)] != 0) drawn.dims.insert(drawn.dims.begin(), dim);
  }
  return drawn;
}

Fills samples(Dtype dtype) {
  return {{.kind = FillKind::normal, .bits = {}}, {.kind = FillKind::exact_integer, .parameter = 3, .bits = {}}, factors(dtype, 1)[0]};
}

std::int64_t normalization(DraftBuilder& build) { return build.pick().between(0, 2); }

ValueRef parts(DraftBuilder& build, ValueRef complex) { return build.call("aten::view_as_real", arguments(complex)); }

ValueRef complex_input(DraftBuilder& build, Sizes sizes, Fills fills) {
  sizes.push_back(2);
  const ValueRef x = build.input(sizes, std::move(fills));
  build.spec(x).layout = LayoutKind::contiguous;  // the parts must lie side by side
  return build.call("aten::view_as_complex", arguments(x));
}

}  // namespace

Recipe transform_real() {
  return [](DraftBuilder& build) {
    const Transformed drawn = draw_transformed(build);
    const ValueRef x = build.input(drawn.sizes, samples(build.dtype()));
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
    const ValueRef x = build.input(drawn.sizes, samples(build.dtype()));
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
