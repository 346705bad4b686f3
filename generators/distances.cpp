#include "generators/distances.h"

#include <limits>

namespace neuroncheck::generators {
namespace {

double power(DraftBuilder& build) { return build.pick().one_of({2.0, 2.0, 2.0, 1.0, 0.0, std::numeric_limits<double>::infinity(), 3.0, 1.5}); }

Fills places() { return {fill_of(FillKind::normal), between(-4, 4), counted(FillKind::exact_integer, 3), counted(FillKind::repeated, 3)}; }

Fills lengths() { return {ranged(FillKind::positive, -2, 3), constant(1), counted(FillKind::index, 4)}; }

struct Clouds {
  Sizes first, second, distances;
};

// More than 25 rows on one side, at times: torch then multiplies matrices.
Clouds draw_clouds(DraftBuilder& build) {
  if (build.edge() == Edge::scalar) return {{1, 1}, {1, 1}, {1, 1}};
  Picker& pick = build.pick();
  Sizes sizes = {boundary_size(pick, 33), boundary_size(pick, 18), boundary_size(pick, 66)};
  if (build.edge() == Edge::empty) sizes[static_cast<std::size_t>(pick.below(2))] = 0;
  Clouds drawn{{sizes[0], sizes[2]}, {sizes[1], sizes[2]}, {sizes[0], sizes[1]}};
  if (pick.chance(30)) {
    const std::int64_t batch = pick.between(1, 3);
    for (Sizes* of : {&drawn.first, &drawn.second, &drawn.distances}) of->insert(of->begin(), batch);
  }
  return drawn;
}

struct Cloud {
  std::int64_t rows, length;
  std::int64_t pairs() const { return rows * (rows - 1) / 2; }
};

Cloud draw_cloud(DraftBuilder& build) {
  if (build.edge() == Edge::scalar) return {1, 1};
  // One row has no distances. Of none, torch 2.13's CPU kernel of the gradient divides by zero.
  if (build.edge() == Edge::empty) return {1, boundary_size(build.pick(), 18)};
  return {boundary_size(build.pick(), 18), boundary_size(build.pick(), 66)};
}

}  // namespace

// The kernels take contiguous tensors only.
Recipe cdist() {
  return [](DraftBuilder& build) {
    const Clouds drawn = draw_clouds(build);
    const ValueRef first = contiguous_input(build, drawn.first, places()), second = contiguous_input(build, drawn.second, places());
    const Argument mode = build.pick().chance(40) ? none() : argument(build.pick().between(0, 2));
    build.returns(build.call(arguments(first, second, power(build), mode)));
  };
}

Recipe cdist_backward() {
  return [](DraftBuilder& build) {
    const Clouds drawn = draw_clouds(build);
    const ValueRef grad = contiguous_input(build, drawn.distances, places());
    const ValueRef first = contiguous_input(build, drawn.first, places()), second = contiguous_input(build, drawn.second, places());
    const ValueRef distances = contiguous_input(build, drawn.distances, lengths());
    build.returns(build.call(arguments(grad, first, second, power(build), distances)));
  };
}

Recipe pdist() {
  return [](DraftBuilder& build) {
    const Cloud drawn = draw_cloud(build);
    const ValueRef self = contiguous_input(build, {drawn.rows, drawn.length}, places());
    build.returns(build.call(arguments(self, power(build))));
  };
}

Recipe pdist_backward() {
  return [](DraftBuilder& build) {
    const Cloud drawn = draw_cloud(build);
    const std::int64_t pairs = drawn.pairs();
    const ValueRef grad = contiguous_input(build, {pairs}, places());
    const ValueRef self = contiguous_input(build, {drawn.rows, drawn.length}, places());
    const ValueRef distances = contiguous_input(build, {pairs}, lengths());
    build.returns(build.call(arguments(grad, self, power(build), distances)));
  };
}

}  // namespace neuroncheck::generators
