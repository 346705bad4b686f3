#include "generators/gradients.h"

namespace neuroncheck::generators {
namespace {

void append(ArgumentList& list, const ArgumentList& more) { list.insert(list.end(), more.begin(), more.end()); }

// Sizes whose dimension `dim` is even, and those of one half.
struct Halved {
  Sizes whole, half;
  std::int64_t dim = 0;
};

Halved draw_halved(DraftBuilder& build) {
  Halved sizes;
  sizes.half = build.sizes(1);
  sizes.whole = sizes.half;
  sizes.dim = dimension(build, sizes.half.size());
  const auto rank = static_cast<std::int64_t>(sizes.half.size());
  sizes.whole[static_cast<std::size_t>((sizes.dim + rank) % rank)] *= 2;
  return sizes;
}

}  // namespace

Recipe gradient(FillsOf self, std::vector<ArgumentList> further, Form form) {
  return [=, further = std::move(further)](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef grad = dense_input(build, sizes, numbers(build.dtype())), of = dense_input(build, sizes, self(build.dtype()));
    ArgumentList in = arguments(grad, of);
    append(in, further[static_cast<std::size_t>(build.pick().below(static_cast<std::int64_t>(further.size())))]);
    call_and_return(build, form, std::move(in), {sizes, build.dtype()});
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
  return {{.kind = FillKind::probability, .bits = {}},
          {.kind = FillKind::uniform, .low = 0, .high = 1, .bits = {}},
          {.kind = FillKind::positive, .low = -20, .high = 0, .bits = {}},
          constant(0.5),
          {.kind = FillKind::special, .bits = {}}};
}

}  // namespace neuroncheck::generators
