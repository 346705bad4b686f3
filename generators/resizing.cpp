#include "generators/resizing.h"

#include "generators/forms.h"
#include "generators/windows.h"

namespace neuroncheck::generators {
namespace {

struct Ratios {
  Sizes input, output;         // of images
  std::vector<double> scales;  // output / input
  bool align_corners = false;
};

// Aligned corners compare sizes less 1.
Ratios draw_ratios(DraftBuilder& build, int dimensions, Resize resize) {
  Picker& pick = build.pick();
  Ratios ratios;
  ratios.align_corners = resize == Resize::linear && pick.chance(40);
  const std::int64_t extra = ratios.align_corners ? 1 : 0;
  for (int i = 0; i < dimensions; ++i) {
    const bool small = build.edge() == Edge::scalar;
    const std::int64_t unit = small ? 1 : boundary_size(pick, dimensions == 3 ? 2 : 8);
    const std::int64_t in = small ? 1 : pick.between(1, 5), out = small ? 1 : pick.one_of<std::int64_t>({1, 2, 4, 4});
    ratios.input.push_back(in * unit + extra);
    ratios.output.push_back(out * unit + extra);
    ratios.scales.push_back(static_cast<double>(ratios.output.back()) / static_cast<double>(ratios.input.back()));
  }
  return ratios;
}

void append_scales(DraftBuilder& build, const Ratios& ratios, Resize resize, ArgumentList& list) {
  if (resize == Resize::linear) list.push_back(argument(ratios.align_corners));
  const bool given = !ratios.align_corners && build.pick().chance(30);
  for (const double scale : ratios.scales) list.push_back(given ? argument(scale) : none());
}

Sizes batch_and_channels(DraftBuilder& build) {
  const bool small = build.edge() == Edge::scalar;
  return {small ? 1 : draw_batch(build), small ? 1 : build.pick().between(1, 4)};
}

}  // namespace

Recipe resize(int dimensions, Resize resize) {
  return [=](DraftBuilder& build) {
    const Ratios ratios = draw_ratios(build, dimensions, resize);
    const Fills fills = resize == Resize::nearest ? markers(build.dtype()) : factors(build.dtype(), 4096);
    const ValueRef self = dense_input(build, joined(batch_and_channels(build), ratios.input), fills);
    ArgumentList in = arguments(self, list(ratios.output));
    append_scales(build, ratios, resize, in);
    build.returns(build.call(std::move(in)));
  };
}

Recipe resize_gradient(int dimensions, Resize resize) {
  return [=](DraftBuilder& build) {
    const Ratios ratios = draw_ratios(build, dimensions, resize);
    const Sizes before = batch_and_channels(build);
    const ValueRef grad = dense_input(build, joined(before, ratios.output), factors(build.dtype(), 4096));
    ArgumentList in = arguments(grad, list(ratios.output), list(joined(before, ratios.input)));
    append_scales(build, ratios, resize, in);
    build.returns(build.call(std::move(in)));
  };
}

Recipe resize_by_vector(Resize resize) {
  return [=](DraftBuilder& build) {
    const Ratios ratios = draw_ratios(build, 2, resize);
    const Fills fills = resize == Resize::nearest ? markers(build.dtype()) : factors(build.dtype(), 4096);
    const ValueRef self = dense_input(build, joined(batch_and_channels(build), ratios.input), fills);
    const bool by_scale = !ratios.align_corners && build.pick().chance(50);
    ArgumentList scales;
    for (const double scale : ratios.scales) scales.push_back(argument(scale));
    ArgumentList in = arguments(self, by_scale ? none() : list(ratios.output));
    if (resize == Resize::linear) in.push_back(argument(ratios.align_corners));
    in.push_back(by_scale ? Argument{std::move(scales)} : none());
    build.returns(build.call(std::move(in)));
  };
}

}  // namespace neuroncheck::generators
