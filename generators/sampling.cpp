#include "generators/sampling.h"

#include "generators/forms.h"
#include "generators/windows.h"

namespace neuroncheck::generators {
namespace {

// Without bicubic ones: their coefficients cancel, and of roundings in between the estimate knows nothing.
constexpr std::int64_t kBilinear = 0, kNearest = 1;

struct Sampled {
  Sizes input, grid, output;
};

Sizes draw_extents(DraftBuilder& build, int dimensions) {
  Sizes extents;
  for (int i = 0; i < dimensions; ++i) extents.push_back(build.edge() == Edge::scalar ? 1 : boundary_size(build.pick(), dimensions == 3 ? 4 : 9));
  return extents;
}

Sampled draw_sampled(DraftBuilder& build, int dimensions) {
  const bool small = build.edge() == Edge::scalar;
  const std::int64_t batch = small ? 1 : draw_batch(build), channels = small ? 1 : build.pick().between(1, 3);
  const Sizes image = draw_extents(build, dimensions), points = draw_extents(build, dimensions);
  Sizes grid = joined({batch}, points);
  grid.push_back(dimensions);
  return {joined({batch, channels}, image), grid, joined({batch, channels}, points)};
}

// -1 and 1 are the borders of the image.
Fills inside_and_out() { return {between(-1.25, 1.25)}; }
Fills points() { return {between(-1.25, 1.25), between(-1, 1), counted(FillKind::exact_integer, 1)}; }

ArgumentList draw_modes(DraftBuilder& build) {
  const std::int64_t interpolation = build.pick().one_of({kBilinear, kNearest}), padding = build.pick().between(0, 2);
  return arguments(interpolation, padding, build.pick().chance(50));
}

}  // namespace

Recipe grid_sample(int dimensions) {
  return [=](DraftBuilder& build) {
    const Sampled sizes = draw_sampled(build, dimensions);
    const ValueRef input = dense_input(build, sizes.input, factors(build.dtype(), 16));
    const ValueRef grid = dense_input(build, sizes.grid, points());
    build.returns(build.call(joined(arguments(input, grid), draw_modes(build))));
  };
}

// Off the corners, where the gradient of the grid jumps.
Recipe grid_sample_gradient(int dimensions) {
  return [=](DraftBuilder& build) {
    const Sampled sizes = draw_sampled(build, dimensions);
    const ValueRef grad = dense_input(build, sizes.output, factors(build.dtype(), 16));
    const ValueRef input = dense_input(build, sizes.input, factors(build.dtype(), 16));
    const ValueRef grid = dense_input(build, sizes.grid, inside_and_out());
    ArgumentList in = joined(arguments(grad, input, grid), draw_modes(build));
    in.push_back(Argument{arguments(true, true)});
    build.returns(build.call(std::move(in)), 2);
  };
}

}  // namespace neuroncheck::generators
