#include "generators/gradients.h"

#include "generators/along.h"

namespace neuroncheck::generators {
namespace {

// Sizes whose dimension `dim` is even, and those of one half.
struct Halved {
  Sizes whole, half;
  std::int64_t dim = 0;
};

Halved draw_halved(DraftBuilder& build) {
  const Along half = draw_along(build, 1);
  return {.whole = half.resized(2 * half.size), .half = half.sizes, .dim = half.dim};
}

}  // namespace

Recipe gradient(FillsOf self, std::vector<ArgumentList> further, Form form) {
  return [=, further = std::move(further)](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef grad = dense_input(build, sizes, numbers(build.dtype())), of = dense_input(build, sizes, self(build.dtype()));
    call_and_return(build, form, joined(arguments(grad, of), one_of(build, further)), {sizes, build.dtype()});
  };
}

Recipe gelu_gradient(Form form) { return gradient(moderate, {arguments("none"), arguments("tanh")}, form); }

Recipe elu_gradient() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef grad = dense_input(build, sizes, numbers(build.dtype())), self = dense_input(build, sizes, moderate(build.dtype()));
    Picker& pick = build.pick();
    const double alpha = pick.one_of({1.0, 0.5, 1.6732632423543772}), scale = pick.one_of({1.0, 2.0, 1.0507009873554805});
    const double input_scale = pick.one_of({1.0, 0.5});
    build.returns(build.call(arguments(grad, alpha, scale, input_scale, pick.chance(40), self)));
  };
}

Recipe log_sigmoid_gradient() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef grad = dense_input(build, sizes, numbers(build.dtype())), self = dense_input(build, sizes, moderate(build.dtype()));
    const ValueRef forward = build.call("aten::log_sigmoid_forward", arguments(self));
    build.returns(build.call(arguments(grad, self, ValueRef{.node = forward.node, .index = 1})));
  };
}

Recipe prelu() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = dense_input(build, sizes, numbers(build.dtype()));
    build.returns(build.call(arguments(self, dense_input(build, broadcastable(build.pick(), sizes), moderate(build.dtype())))));
  };
}

Recipe prelu_gradient() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef grad = dense_input(build, sizes, numbers(build.dtype())), self = dense_input(build, sizes, numbers(build.dtype()));
    build.returns(build.call(arguments(grad, self, dense_input(build, broadcastable(build.pick(), sizes), moderate(build.dtype())))), 2);
  };
}

Recipe rrelu_gradient() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef grad = dense_input(build, sizes, numbers(build.dtype())), self = dense_input(build, sizes, numbers(build.dtype()));
    const ValueRef noise = dense_input(build, sizes, moderate(build.dtype()));
    const bool training = build.pick().chance(50);
    build.returns(build.call(arguments(grad, self, noise, 0.125, build.pick().one_of({0.125, 0.25}), training, false)));
  };
}

Recipe dropout_gradient() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef grad = dense_input(build, sizes, numbers(build.dtype())), mask = build.input(Dtype::bool_, sizes, masks());
    build.returns(build.call(arguments(grad, mask, build.pick().one_of({1.0, 2.0, 1.25, 4.0, 0.0}))));
  };
}

Recipe glu() {
  return [](DraftBuilder& build) {
    const Halved sizes = draw_halved(build);
    build.returns(build.call(arguments(dense_input(build, sizes.whole, moderate(build.dtype())), sizes.dim)));
  };
}

Recipe glu_gradient() {
  return [](DraftBuilder& build) {
    const Halved sizes = draw_halved(build);
    const ValueRef grad = dense_input(build, sizes.half, moderate(build.dtype()));
    build.returns(build.call(arguments(grad, dense_input(build, sizes.whole, moderate(build.dtype())), sizes.dim)));
  };
}

Fills probabilities(Dtype /*dtype*/) {
  return {fill_of(FillKind::probability), between(0, 1), ranged(FillKind::positive, -20, 0), constant(0.5), fill_of(FillKind::special)};
}

}  // namespace neuroncheck::generators
