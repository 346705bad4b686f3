#include "generators/elementwise.h"

namespace neuroncheck::generators {
namespace {

struct Operands {
  ValueRef self;
  ValueRef other;
  Sizes result;
};

Operands operands(DraftBuilder& build, Form form, const std::pair<FillsOf, FillsOf>& fills) {
  const Sizes result = build.sizes();
  auto [left, right] = form == Form::in_place ? std::pair{result, broadcastable(build.pick(), result)} : broadcast_pair(build.pick(), result);
  const ValueRef self = self_operand(build, form, left, fills.first(build.dtype()));
  const ValueRef other = build.input(right, fills.second(build.dtype()));
  return {self, other, result};
}

// alpha: a bool tensor takes none but true.
Argument multiplier(DraftBuilder& build) {
  if (build.dtype() == Dtype::bool_) {
    return {true};
  }
  return choose(build, {1.0, 1.0, 2.0, -0.5}, {1, 1, 2, 3});
}

}  // namespace

Recipe unary(FillsOf fills, Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, fills(build.dtype()));
    call_and_return(build, form, arguments(self), {sizes, build.dtype()});
  };
}

Recipe gelu() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), moderate(build.dtype()));
    build.returns(build.call(arguments(self, build.pick().one_of({"none", "tanh"}))));
  };
}

Recipe binary(FillsOf left, FillsOf right, Form form) {
  return [=](DraftBuilder& build) {
    const Operands in = operands(build, form, {left, right});
    call_and_return(build, form, arguments(in.self, in.other), {in.result, build.dtype()});
  };
}

Recipe binary_alpha(Form form) {
  return [=](DraftBuilder& build) {
    const Operands in = operands(build, form, {numbers, numbers});
    call_and_return(build, form, arguments(in.self, in.other, multiplier(build)), {in.result, build.dtype()});
  };
}

Recipe divide_rounded() {
  return [](DraftBuilder& build) {
    const Operands in = operands(build, Form::functional, {numbers, divisors});
    build.returns(build.call(arguments(in.self, in.other, build.pick().one_of({"floor", "trunc"}))));
  };
}

Recipe with_scalar(FillsOf fills, Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, fills(build.dtype()));
    call_and_return(build, form, arguments(self, scalar(build)), {sizes, build.dtype()});
  };
}

Recipe with_divisor() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), numbers(build.dtype()));
    build.returns(build.call(arguments(self, choose(build, {0.5, -1.25, 3.0, -7.0, 64.0}, {1, 2, 3, 7, 100}))));
  };
}

Recipe with_scalar_alpha() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), numbers(build.dtype()));
    const Argument other = scalar(build);
    build.returns(build.call(arguments(self, other, multiplier(build))));
  };
}

Recipe power_scalar() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), moderate(build.dtype()));
    build.returns(build.call(arguments(self, choose(build, {2.0, 3.0, 0.5, -1.0, 0.0, 1.0, -0.5, -2.0, 1.5}, {0, 1, 2, 3, 5}))));
  };
}

Recipe clamp(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, numbers(build.dtype()));
    const std::int64_t missing = build.pick().below(6);  // both bounds are there in four of six
    const Argument low = missing == 0 ? none() : scalar(build);
    const Argument high = missing == 1 ? none() : scalar(build);
    call_and_return(build, form, arguments(self, low, high), {sizes, build.dtype()});
  };
}

Recipe where(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes result = build.sizes();
    const auto [left, right] = broadcast_pair(build.pick(), result);
    const ValueRef condition = build.input(Dtype::bool_, result, masks());
    const ValueRef self = build.input(left, markers(build.dtype()));
    const ValueRef other = build.input(right, markers(build.dtype()));
    call_and_return(build, form, arguments(condition, self, other), {result, build.dtype()});
  };
}

}  // namespace neuroncheck::generators
