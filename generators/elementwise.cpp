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

Argument divisor(DraftBuilder& build) { return choose(build, {0.5, -1.25, 3.0, -7.0, 64.0}, {1, 2, 3, 7, 100}); }

}  // namespace

Recipe unary(FillsOf fills, Form form, Made made) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, fills(build.dtype()));
    call_and_return(build, form, arguments(self), {sizes, made(build.dtype())});
  };
}

Recipe unary_with(FillsOf fills, std::vector<ArgumentList> further, Form form) {
  return [=, further = std::move(further)](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    ArgumentList all = arguments(self_operand(build, form, sizes, fills(build.dtype())));
    const ArgumentList& chosen = further[static_cast<std::size_t>(build.pick().below(static_cast<std::int64_t>(further.size())))];
    all.insert(all.end(), chosen.begin(), chosen.end());
    call_and_return(build, form, std::move(all), {sizes, build.dtype()});
  };
}

Recipe gelu(Form form) { return unary_with(moderate, {arguments("none"), arguments("tanh")}, form); }

Recipe binary(FillsOf left, FillsOf right, Form form, Made made) {
  return [=](DraftBuilder& build) {
    const Operands in = operands(build, form, {left, right});
    call_and_return(build, form, arguments(in.self, in.other), {in.result, made(build.dtype())});
  };
}

Recipe binary_alpha(Form form) {
  return [=](DraftBuilder& build) {
    const Operands in = operands(build, form, {numbers, numbers});
    call_and_return(build, form, arguments(in.self, in.other, multiplier(build)), {in.result, build.dtype()});
  };
}

Recipe divide_rounded(Form form) {
  return [=](DraftBuilder& build) {
    const Operands in = operands(build, form, {numbers, divisors});
    call_and_return(build, form, arguments(in.self, in.other, build.pick().one_of({"floor", "trunc"})), {in.result, build.dtype()});
  };
}

Recipe ternary_value(FillsOf third, Form form) {
  return [=](DraftBuilder& build) {
    const Sizes result = build.sizes();
    const ValueRef self = self_operand(build, form, result, numbers(build.dtype()));
    const ValueRef first = build.input(broadcastable(build.pick(), result), numbers(build.dtype()));
    const ValueRef second = build.input(broadcastable(build.pick(), result), third(build.dtype()));
    const Argument value = choose(build, {1.0, 0.5, -2.0, 3.0}, {1, 2, 3});
    call_and_return(build, form, arguments(self, first, second, value), {result, build.dtype()});
  };
}

Recipe lerp(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes result = build.sizes();
    const ValueRef self = self_operand(build, form, result, numbers(build.dtype()));
    const ValueRef end = build.input(broadcastable(build.pick(), result), numbers(build.dtype()));
    const ValueRef weight = build.input(broadcastable(build.pick(), result), moderate(build.dtype()));
    call_and_return(build, form, arguments(self, end, weight), {result, build.dtype()});
  };
}

Recipe lerp_scalar(Form form) {
  return [=](DraftBuilder& build) {
    const Operands in = operands(build, form, {numbers, numbers});
    call_and_return(build, form, arguments(in.self, in.other, choose(build, {0.25, 0.5, 0.75, 1.5, -1.0}, {1})), {in.result, build.dtype()});
  };
}

Recipe with_scalar(FillsOf fills, Form form, Made made) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, fills(build.dtype()));
    call_and_return(build, form, arguments(self, scalar(build)), {sizes, made(build.dtype())});
  };
}

Recipe with_divisor(FillsOf fills, Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, fills(build.dtype()));
    call_and_return(build, form, arguments(self, divisor(build)), {sizes, build.dtype()});
  };
}

Recipe with_divisor_rounded() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), numbers(build.dtype()));
    build.returns(build.call(arguments(self, divisor(build), build.pick().one_of({"floor", "trunc"}))));
  };
}

Recipe with_scalar_alpha(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, numbers(build.dtype()));
    const Argument other = scalar(build);
    call_and_return(build, form, arguments(self, other, multiplier(build)), {sizes, build.dtype()});
  };
}

Recipe power_scalar(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, moderate(build.dtype()));
    const Argument exponent = choose(build, {2.0, 3.0, 0.5, -1.0, 0.0, 1.0, -0.5, -2.0, 1.5}, {0, 1, 2, 3, 5});
    call_and_return(build, form, arguments(self, exponent), {sizes, build.dtype()});
  };
}

Recipe power_of_scalar(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef exponent = build.input(sizes, moderate(build.dtype()));
    call_and_return(build, form, arguments(choose(build, {2.0, 0.5, 3.0, 1.0, 0.0, 10.0}, {0, 1, 2, 3}), exponent), {sizes, build.dtype()});
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

Recipe clamp_tensors(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes result = build.sizes();
    const ValueRef self = self_operand(build, form, result, numbers(build.dtype()));
    const std::int64_t missing = build.pick().below(6);
    const auto bound = [&](bool is_missing) {
      return is_missing ? none() : argument(build.input(broadcastable(build.pick(), result), ordered(build.dtype())));
    };
    const Argument low = bound(missing == 0), high = bound(missing == 1);
    call_and_return(build, form, arguments(self, low, high), {result, build.dtype()});
  };
}

Recipe where_scalars(WhereScalars scalars) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef condition = build.input(Dtype::bool_, sizes, masks());
    const auto value = [&](bool is_scalar) {
      return is_scalar ? scalar(build) : argument(build.input(broadcastable(build.pick(), sizes), markers(build.dtype())));
    };
    const Argument self = value(scalars == WhereScalars::self), other = value(scalars == WhereScalars::other);
    build.returns(build.call(arguments(condition, self, other)));
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
