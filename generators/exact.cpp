// Recipes of pointwise ops on integers and on the parts of numbers.
#include "generators/elementwise.h"

namespace neuroncheck::generators {
namespace {

// From 0 to one less than the bits of int8.
Fills amounts(Dtype /*dtype*/) { return {between(0, 8), constant(0), constant(7)}; }

Fills small(Dtype dtype) { return {between(lowest(dtype, -11), 12)}; }

}  // namespace

Recipe masked_fill_tensor(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, markers(build.dtype()));
    const ValueRef mask = build.input(Dtype::bool_, broadcastable(build.pick(), sizes), masks());
    const ValueRef value = build.input(Sizes{}, markers(build.dtype()));
    build.spec(value).requires_grad = false;
    call_and_return(build, form, arguments(self, mask, value), {sizes, build.dtype()});
  };
}

Recipe shift(Form form) { return binary(numbers, amounts, form); }

Recipe shift_by_scalar(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, numbers(build.dtype()));
    call_and_return(build, form, arguments(self, build.pick().between(0, 7)), {sizes, build.dtype()});
  };
}

Recipe shift_of_scalar(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef other = build.input(sizes, amounts(build.dtype()));
    call_and_return(build, form, arguments(build.pick().one_of<std::int64_t>({1, 0, 3, 100}), other), {sizes, build.dtype()});
  };
}

Recipe small_integers() { return binary(small, small); }

Recipe exponents() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, moderate(build.dtype()));
    build.returns(build.call(arguments(self, build.input(sizes, {counted(FillKind::exact_integer, 3)}))));
  };
}

// The largest float64 is infinite on a device that computes it in float32: there the replacements are given.
Recipe nan_to_num() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), ordered(build.dtype()));
    const auto replacement = [&](std::initializer_list<double> values) {
      const bool given = build.dtype() == Dtype::float64 || build.pick().chance(50);
      return given ? argument(build.pick().one_of(values)) : none();
    };
    const Argument nan = replacement({0.0, 2.0, -1.5}), positive = replacement({1.0, 1024.0}), negative = replacement({-1.0, 3.0});
    build.returns(build.call(arguments(self, nan, positive, negative)));
  };
}

Recipe unary_results(FillsOf fills, int results) {
  return [=](DraftBuilder& build) { build.returns(build.call(arguments(build.input(build.sizes(), fills(build.dtype())))), results); };
}

}  // namespace neuroncheck::generators
