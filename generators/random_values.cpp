#include "generators/random_values.h"

namespace neuroncheck::generators {
namespace {

void draw_into(DraftBuilder& build, ArgumentList parameters) {
  parameters.insert(parameters.begin(), argument(build.written(build.dtype(), build.sizes(), markers(build.dtype()))));
  build.returns(build.call(std::move(parameters)));
}

Fills positive_numbers() { return {between(0.125, 2.0), constant(1)}; }

double location(DraftBuilder& build) { return build.pick().one_of({0.0, -1.5, 3.0}); }
double scale(DraftBuilder& build) { return build.pick().one_of({0.5, 1.0, 2.0}); }

// Limits that int8 and bfloat16 hold; bool takes 0 and 1.
ArgumentList drawn_limits(DraftBuilder& build, Limits limits) {
  const std::int64_t most = build.dtype() == Dtype::bool_ ? 2 : 100;
  const std::int64_t low = limits == Limits::both ? build.pick().between(0, 1) : 0;
  const std::int64_t high = build.pick().between(low + 1, most);
  return limits == Limits::both ? arguments(low, high) : arguments(high);
}

}  // namespace

Recipe bernoulli() {
  return [](DraftBuilder& build) {
    const Fills probabilities = {fill_of(FillKind::probability), constant(0), constant(1)};
    build.returns(build.call(arguments(build.input(build.sizes(), probabilities))));
  };
}

Recipe bernoulli_in_place() {
  return [](DraftBuilder& build) { draw_into(build, arguments(build.pick().one_of({0.5, 0.25, 0.0, 1.0}))); };
}

Recipe location_scale() {
  return [](DraftBuilder& build) {
    const double at = location(build);
    draw_into(build, arguments(at, scale(build)));
  };
}

Recipe exponential() {
  return [](DraftBuilder& build) { draw_into(build, arguments(scale(build))); };
}

Recipe geometric() {
  return [](DraftBuilder& build) { draw_into(build, arguments(build.pick().one_of({0.5, 0.75, 0.875}))); };
}

Recipe log_normal() {
  return [](DraftBuilder& build) {
    const double mean = location(build);
    draw_into(build, arguments(mean, build.pick().one_of({0.25, 0.5})));
  };
}

Recipe uniform() {
  return [](DraftBuilder& build) {
    const double from = location(build);
    draw_into(build, arguments(from, from + scale(build)));
  };
}

Recipe normal_of_tensors() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef mean = build.input(sizes, {fill_of(FillKind::normal)});
    build.returns(build.call(arguments(mean, build.input(sizes, positive_numbers()))));
  };
}

Recipe normal_of_means() {
  return [](DraftBuilder& build) {
    const ValueRef mean = build.input(build.sizes(), {fill_of(FillKind::normal)});
    build.returns(build.call(arguments(mean, scale(build))));
  };
}

Recipe normal_of_numbers() {
  return [](DraftBuilder& build) {
    const double mean = location(build), deviation = scale(build);
    build.returns(build.call(arguments(mean, deviation, list(build.sizes()), none(), build.dtype())));
  };
}

Recipe multinomial() {
  return [](DraftBuilder& build) {
    const std::int64_t classes = boundary_size(build.pick(), 129);
    const bool again = build.pick().chance(50);
    const std::int64_t samples = boundary_size(build.pick(), again ? 66 : classes);
    const Sizes sizes = build.edge() == Edge::scalar ? Sizes{classes} : Sizes{boundary_size(build.pick(), 8), classes};
    build.returns(build.call(arguments(build.input(sizes, positive_numbers()), samples, again)));
  };
}

Recipe random_integers(Limits limits) {
  return [=](DraftBuilder& build) {
    ArgumentList given = drawn_limits(build, limits);
    given.push_back(list(build.sizes()));
    given.push_back(argument(build.dtype()));
    build.returns(build.call(std::move(given)));
  };
}

Recipe random_integers_like(Limits limits) {
  return [=](DraftBuilder& build) {
    ArgumentList given = drawn_limits(build, limits);
    given.insert(given.begin(), argument(build.input(build.sizes(), markers(build.dtype()))));
    if (build.pick().chance(30)) given.push_back(argument(Dtype::int64));
    build.returns(build.call(std::move(given)));
  };
}

Recipe random_like() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), markers(build.dtype()));
    build.returns(build.call(build.pick().chance(30) ? arguments(self, Dtype::float32) : arguments(self)));
  };
}

Recipe permutation() {
  return [](DraftBuilder& build) {
    const std::int64_t count = build.edge() == Edge::scalar ? 1 : build.edge() == Edge::empty ? 0 : boundary_size(build.pick(), 66);
    build.returns(build.call(arguments(count, build.dtype())));
  };
}

Recipe native_dropout() {
  return [](DraftBuilder& build) {
    // Of an empty input the CPU's mask is not bool.
    const Edge edge = build.edge() == Edge::empty ? Edge::none : build.edge();
    const Sizes sizes = draw_sizes(build.pick(), edge, {.budget = build.budget()});
    const ValueRef input = build.input(sizes, moderate(build.dtype()));
    const double p = build.pick().one_of({0.5, 0.25, 0.0, 1.0});
    const Argument train = build.pick().chance(70) ? argument(true) : build.pick().chance(50) ? argument(false) : none();
    build.returns(build.call(arguments(input, p, train)), 2);
  };
}

Recipe rrelu() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, moderate(build.dtype()));
    const ValueRef noise = made_contiguous(build, build.written(build.dtype(), sizes, markers(build.dtype())));
    const bool training = build.pick().chance(50);
    build.returns(build.call(arguments(self, noise, 0.125, build.pick().one_of({0.125, 0.25}), training, none())));
  };
}

}  // namespace neuroncheck::generators
