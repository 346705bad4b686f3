#include "generators/elementwise.h"

namespace neuroncheck::generators {
namespace {

// The tensors that a call begins with, and the sizes of its result.
struct Operands {
  ArgumentList tensors;
  Sizes result;
};
using OperandsOf = std::function<Operands(DraftBuilder&, Form)>;

OperandsOf one(FillsOf fills) {
  return [=](DraftBuilder& build, Form form) -> Operands {
    const Sizes sizes = build.sizes();
    return {arguments(self_operand(build, form, sizes, fills(build.dtype()))), sizes};
  };
}

OperandsOf two(FillsOf left_fills, FillsOf right_fills) {
  return [=](DraftBuilder& build, Form form) -> Operands {
    const Sizes result = build.sizes();
    auto [left, right] = form == Form::in_place ? std::pair{result, broadcastable(build.pick(), result)} : broadcast_pair(build.pick(), result);
    const ValueRef self = self_operand(build, form, left, left_fills(build.dtype()));
    const ValueRef other = build.input(right, right_fills(build.dtype()));
    return {arguments(self, other), result};
  };
}

// The first has the result's sizes in every form.
OperandsOf three(FillsOf third_fills) {
  return [=](DraftBuilder& build, Form form) -> Operands {
    const Sizes result = build.sizes();
    const ValueRef first = self_operand(build, form, result, numbers(build.dtype()));
    const ValueRef second = build.input(broadcastable(build.pick(), result), numbers(build.dtype()));
    const ValueRef third = build.input(broadcastable(build.pick(), result), third_fills(build.dtype()));
    return {arguments(first, second, third), result};
  };
}

// What follows the tensors, drawn after them.
using Further = std::function<ArgumentList(DraftBuilder&)>;

ArgumentList nothing(DraftBuilder& /*build*/) { return {}; }

Recipe calling(const OperandsOf& operands, Form form, const Further& further = nothing, Made made = same) {
  return [=](DraftBuilder& build) {
    const Operands in = operands(build, form);
    call_and_return(build, form, joined(in.tensors, further(build)), {in.result, made(build.dtype())});
  };
}

std::string rounding_mode(DraftBuilder& build) { return build.pick().one_of({"floor", "trunc"}); }

}  // namespace

Argument multiplier(DraftBuilder& build) {
  if (build.dtype() == Dtype::bool_) {
    return {true};
  }
  return choose(build, {1.0, 1.0, 2.0, -0.5}, {1, 1, 2, 3});
}

Argument divisor(DraftBuilder& build) { return choose(build, {0.5, -1.25, 3.0, -7.0, 64.0}, {1, 2, 3, 7, 100}); }

Recipe unary(FillsOf fills, Form form, Made made) { return calling(one(fills), form, nothing, made); }

Recipe unary_with(FillsOf fills, std::vector<ArgumentList> further, Form form) {
  return calling(one(fills), form, [further = std::move(further)](DraftBuilder& build) { return one_of(build, further); });
}

Recipe sweep(const ArgumentList& further) {
  return [=](DraftBuilder& build) {
    const std::int64_t patterns = std::int64_t{1} << (8 * bytes_of(build.dtype()));
    const ValueRef self = contiguous_input(build, {patterns}, {fill_of(FillKind::every_pattern)});
    build.returns(build.call(joined(arguments(self), further)));
  };
}

Recipe gelu(Form form) { return unary_with(moderate, {arguments("none"), arguments("tanh")}, form); }

Recipe binary(FillsOf left, FillsOf right, Form form, Made made) { return calling(two(left, right), form, nothing, made); }

Recipe binary_alpha(Form form) {
  return calling(two(numbers, numbers), form, [](DraftBuilder& build) { return arguments(multiplier(build)); });
}

Recipe divide_rounded(Form form) {
  return calling(two(numbers, divisors), form, [](DraftBuilder& build) { return arguments(rounding_mode(build)); });
}

Recipe ternary_value(FillsOf third, Form form) {
  return calling(three(third), form, [](DraftBuilder& build) { return arguments(choose(build, {1.0, 0.5, -2.0, 3.0}, {1, 2, 3})); });
}

Recipe lerp(Form form) { return calling(three(moderate), form); }

Recipe lerp_scalar(Form form) {
  return calling(two(numbers, numbers), form, [](DraftBuilder& build) { return arguments(choose(build, {0.25, 0.5, 0.75, 1.5, -1.0}, {1})); });
}

Recipe with_scalar(FillsOf fills, Form form, Made made) {
  return calling(
      one(fills), form, [](DraftBuilder& build) { return arguments(scalar(build)); }, made);
}

Recipe with_divisor(Form form) {
  return calling(one(numbers), form, [](DraftBuilder& build) { return arguments(divisor(build)); });
}

Recipe with_divisor_rounded() {
  return calling(one(numbers), Form::functional, [](DraftBuilder& build) {
    const std::string mode = rounding_mode(build);
    return arguments(divisor(build), mode);
  });
}

Recipe with_scalar_alpha(Form form) {
  return calling(one(numbers), form, [](DraftBuilder& build) {
    const Argument other = scalar(build);
    return arguments(other, multiplier(build));
  });
}

Recipe power_scalar(Form form) {
  return calling(one(moderate), form, [](DraftBuilder& build) {
    return arguments(choose(build, {2.0, 3.0, 0.5, -1.0, 0.0, 1.0, -0.5, -2.0, 1.5}, {0, 1, 2, 3, 5}));
  });
}

Recipe power_of_scalar(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef exponent = build.input(sizes, moderate(build.dtype()));
    call_and_return(build, form, arguments(choose(build, {2.0, 0.5, 3.0, 1.0, 0.0, 10.0}, {0, 1, 2, 3}), exponent), {sizes, build.dtype()});
  };
}

Recipe clamp(Form form) {
  return calling(one(numbers), form, [](DraftBuilder& build) {
    const std::int64_t missing = build.pick().below(6);  // both bounds are there in four of six
    const Argument low = missing == 0 ? none() : scalar(build);
    const Argument high = missing == 1 ? none() : scalar(build);
    return arguments(low, high);
  });
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
    const Argument self = value(scalars != WhereScalars::other), other = value(scalars != WhereScalars::self);
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
