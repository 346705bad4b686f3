#include "generators/losses.h"

#include <algorithm>

namespace neuroncheck::generators {
namespace {

std::int64_t draw_reduction(DraftBuilder& build) { return build.pick().below(3); }

// Those that stay in [0, 1] when they are rounded; none at an end where the logarithm's limit of -100 would hide them all.
Fills certainties() { return {fill_of(FillKind::probability), between(0, 1), between(0.25, 0.75), constant(0.5)}; }

Fills inputs_of(DraftBuilder& build, LossOf of) { return of == LossOf::probabilities ? certainties() : moderate(build.dtype()); }

Fills targets_of(DraftBuilder& build, LossOf of) {
  switch (of) {
    case LossOf::numbers:
      return moderate(build.dtype());
    case LossOf::signs:
      return {constant(1), constant(-1), counted(FillKind::exact_integer, 0)};
    case LossOf::probabilities:
      return {fill_of(FillKind::probability), constant(1), constant(0), counted(FillKind::index, 2)};
  }
  throw std::logic_error("targets_of: unknown kind of loss");
}

// An input that the loss is not differentiable in.
ValueRef constant_input(DraftBuilder& build, const Sizes& sizes, Fills fills) {
  const ValueRef made = dense_input(build, sizes, std::move(fills));
  build.spec(made).requires_grad = false;
  return made;
}

// Positive, so that no total of them cancels.
Argument class_weights(DraftBuilder& build, std::int64_t classes) {
  return build.pick().chance(50) ? none() : argument(constant_input(build, {classes}, {between(0.25, 2), constant(2), constant(1)}));
}

// Input and target of the same sizes. Those of a composite that writes into an empty tensor are contiguous: how that one is resized is the device's.
struct Compared {
  ValueRef self, target;
};

Compared draw_compared(DraftBuilder& build, LossOf of, const Sizes& sizes) {
  Compared pair{dense_input(build, sizes, inputs_of(build, of)), {}};
  if (of != LossOf::signs) {
    pair.target = dense_input(build, sizes, targets_of(build, of));
    return pair;
  }
  pair.target = constant_input(build, sizes, targets_of(build, of));
  for (const ValueRef ref : {pair.self, pair.target}) made_contiguous(build, ref);
  return pair;
}

// The gradient of a loss of these sizes.
ValueRef gradient_of(DraftBuilder& build, std::int64_t reduction, const Sizes& sizes) {
  return dense_input(build, reduction == 0 ? sizes : Sizes{}, moderate(build.dtype()));
}

// Input, target and sizes of the unreduced loss of a loss by class.
struct ClassInputs {
  ValueRef self, target;
  Sizes unreduced;
  std::int64_t classes = 1;
};

Sizes draw_class_sizes(DraftBuilder& build, Classes classes) {
  Picker& pick = build.pick();
  if (build.edge() == Edge::scalar) return classes == Classes::of_rows ? Sizes{1} : Sizes{1, 1, 1, 1};
  const std::int64_t batch = build.edge() == Edge::empty ? 0 : boundary_size(pick, 33), count = boundary_size(pick, 129);
  if (classes == Classes::of_images) return {batch, std::min<std::int64_t>(count, 18), boundary_size(pick, 9), boundary_size(pick, 9)};
  return pick.chance(15) && batch > 0 ? Sizes{count} : Sizes{batch, count};
}

ClassInputs draw_class_inputs(DraftBuilder& build, Classes classes) {
  const Sizes sizes = draw_class_sizes(build, classes);
  const std::size_t at = sizes.size() == 4 ? 1 : sizes.size() - 1;
  ClassInputs inputs;
  inputs.classes = sizes[at];
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i != at) inputs.unreduced.push_back(sizes[i]);
  }
  inputs.self = dense_input(build, sizes, moderate(build.dtype()));
  // The derivative refuses them.
  if (classes == Classes::of_images) made_contiguous(build, inputs.self, {LayoutKind::transposed, LayoutKind::channels_last});
  inputs.target = build.input(Dtype::int64, inputs.unreduced, indices(inputs.classes));
  return inputs;
}

std::int64_t draw_ignored(DraftBuilder& build, const ClassInputs& inputs) {
  return build.pick().chance(50) ? -100 : build.pick().below(inputs.classes);
}

// Rows of classes that no empty batch is made of: torch's CPU kernels leave its loss uninitialised.
Sizes draw_margin_sizes(DraftBuilder& build) {
  if (build.edge() == Edge::scalar) return {1};
  const std::int64_t classes = boundary_size(build.pick(), 33);
  return build.pick().chance(20) ? Sizes{classes} : Sizes{boundary_size(build.pick(), 9), classes};
}

Sizes rows_of(const Sizes& sizes) { return Sizes(sizes.begin(), sizes.end() - 1); }

// Without NaN, which the kernels pass over.
Fills scores(Dtype dtype) { return without_special(moderate(dtype)); }

ArgumentList margin_arguments(DraftBuilder& build, std::int64_t classes) {
  const std::int64_t power = build.pick().between(1, 2);
  const double margin = build.pick().one_of({1.0, 0.5, 2.0});
  return arguments(power, margin, class_weights(build, classes));
}

Argument optional_weight(DraftBuilder& build, const Sizes& sizes) {
  return build.pick().chance(60) ? none() : argument(constant_input(build, sizes, {between(0.25, 2), constant(2)}));
}

}  // namespace

Recipe loss(LossOf of, std::vector<ArgumentList> further) {
  return [=, further = std::move(further)](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const auto [self, target] = draw_compared(build, of, sizes);
    const ArgumentList in = arguments(self, target, draw_reduction(build));
    build.returns(build.call(joined(in, one_of(build, further))));
  };
}

Recipe loss_gradient(LossOf of, std::vector<ArgumentList> further) {
  return [=, further = std::move(further)](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const std::int64_t reduction = draw_reduction(build);
    const ValueRef grad = gradient_of(build, reduction, sizes);
    const auto [self, target] = draw_compared(build, of, sizes);
    if (of == LossOf::signs) made_contiguous(build, grad);
    build.returns(build.call(joined(arguments(grad, self, target, reduction), one_of(build, further))));
  };
}

Recipe binary_cross_entropy() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const auto [self, target] = draw_compared(build, LossOf::probabilities, sizes);
    const Argument weight = optional_weight(build, sizes);
    build.returns(build.call(arguments(self, target, weight, draw_reduction(build))));
  };
}

Recipe binary_cross_entropy_gradient() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const std::int64_t reduction = draw_reduction(build);
    const ValueRef grad = gradient_of(build, reduction, sizes);
    const auto [self, target] = draw_compared(build, LossOf::probabilities, sizes);
    const Argument weight = optional_weight(build, sizes);
    build.returns(build.call(arguments(grad, self, target, weight, reduction)));
  };
}

Recipe cross_entropy_with_logits() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = dense_input(build, sizes, scores(build.dtype())),
                   target = dense_input(build, sizes, targets_of(build, LossOf::probabilities));
    const Argument weight = optional_weight(build, broadcastable(build.pick(), sizes));
    const Argument positive = optional_weight(build, broadcastable(build.pick(), sizes));
    build.returns(build.call(arguments(self, target, weight, positive, draw_reduction(build))));
  };
}

Recipe nll(Classes classes, Form form) {
  return [=](DraftBuilder& build) {
    const ClassInputs in = draw_class_inputs(build, classes);
    // What the total weight is when nothing is reduced, torch does not say, and an out= tensor is always looked at.
    const std::int64_t reduction = form == Form::out ? build.pick().between(1, 2) : draw_reduction(build);
    const Argument weight = class_weights(build, in.classes);
    ArgumentList list = arguments(in.self, in.target, weight, reduction, draw_ignored(build, in));
    if (form == Form::out) {
      const ValueRef output = build.written(build.dtype(), Sizes{}, markers(build.dtype()));
      list = joined(std::move(list), arguments(output, build.written(build.dtype(), Sizes{}, markers(build.dtype()))));
    }
    build.returns(build.call(std::move(list)), reduction == 0 ? 1 : 2);
  };
}

Recipe nll_gradient(Classes classes, Form form) {
  return [=](DraftBuilder& build) {
    const ClassInputs in = draw_class_inputs(build, classes);
    const std::int64_t reduction = draw_reduction(build);
    const ValueRef grad = gradient_of(build, reduction, in.unreduced);
    const Argument weight = class_weights(build, in.classes);
    const ValueRef total = dense_input(build, Sizes{}, {between(1, 9), constant(4)});
    ArgumentList list = arguments(grad, in.self, in.target, weight, reduction, draw_ignored(build, in), total);
    const TensorSpec& self = build.spec(in.self);
    call_and_return(build, form, std::move(list), {sizes_of(self, {}), build.dtype()});
  };
}

Recipe multi_margin() {
  return [](DraftBuilder& build) {
    const Sizes sizes = draw_margin_sizes(build);
    const ValueRef self = dense_input(build, sizes, scores(build.dtype())), target = build.input(Dtype::int64, rows_of(sizes), indices(sizes.back()));
    const ArgumentList in = joined(arguments(self, target), margin_arguments(build, sizes.back()));
    build.returns(build.call(joined(in, arguments(draw_reduction(build)))));
  };
}

Recipe multi_margin_gradient() {
  return [](DraftBuilder& build) {
    const Sizes sizes = draw_margin_sizes(build);
    const std::int64_t reduction = draw_reduction(build);
    const ValueRef grad = gradient_of(build, reduction, rows_of(sizes));
    const ValueRef self = dense_input(build, sizes, scores(build.dtype())), target = build.input(Dtype::int64, rows_of(sizes), indices(sizes.back()));
    const ArgumentList in = joined(arguments(grad, self, target), margin_arguments(build, sizes.back()));
    build.returns(build.call(joined(in, arguments(reduction))));
  };
}

Recipe multilabel_margin() {
  return [](DraftBuilder& build) {
    const Sizes sizes = draw_margin_sizes(build);
    const ValueRef self = dense_input(build, sizes, scores(build.dtype()));
    const ValueRef target = build.input(Dtype::int64, sizes, {between(-1, static_cast<double>(sizes.back()))});
    build.returns(build.call(arguments(self, target, draw_reduction(build))), 2);
  };
}

Recipe multilabel_margin_gradient() {
  return [](DraftBuilder& build) {
    const Sizes sizes = draw_margin_sizes(build);
    const std::int64_t reduction = draw_reduction(build);
    const ValueRef grad = gradient_of(build, reduction, rows_of(sizes));
    const ValueRef self = dense_input(build, sizes, scores(build.dtype()));
    const ValueRef target = build.input(Dtype::int64, sizes, {between(-1, static_cast<double>(sizes.back()))});
    const ValueRef forward = build.call("aten::multilabel_margin_loss_forward", arguments(self, target, reduction));
    build.returns(build.call(arguments(grad, self, target, reduction, ValueRef{.node = forward.node, .index = 1})));
  };
}

}  // namespace neuroncheck::generators
