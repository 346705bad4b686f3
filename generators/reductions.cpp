#include "generators/reductions.h"

#include "generators/reduced.h"

namespace neuroncheck::generators {
namespace {

Sizes two_sizes(Picker& pick) {
  const std::int64_t first = boundary_size(pick, 129);
  std::int64_t second = boundary_size(pick, 129);
  second += second == first ? 1 : 0;
  return pick.chance(50) ? Sizes{first, second} : Sizes{first, second, first};
}

}  // namespace

Recipe reduce_dims_typed(FillsOf fills, Form form) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 4, OnEmpty::identity);
    const bool keepdim = build.pick().chance(50);
    const ValueRef self = build.input(reduced.sizes, joined(terms(build.dtype(), reduced.count), fills(build.dtype())));
    const Dtype result = widened(build.dtype());
    call_and_return(build, form, arguments(self, list(reduced.dims), keepdim, none()), {reduced.result(keepdim), result});
  };
}

Recipe reduce_dims(FillsOf fills, Form form) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 4, OnEmpty::refuses);
    const bool keepdim = build.pick().chance(50);
    const ValueRef self = build.input(reduced.sizes, fills(build.dtype()));
    call_and_return(build, form, arguments(self, list(reduced.dims), keepdim), {reduced.result(keepdim), build.dtype()});
  };
}

Recipe product() {
  return [](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::identity);
    const ValueRef self = build.input(reduced.sizes, product_terms(build.dtype()));
    build.returns(build.call(arguments(self, reduced.dims.front(), build.pick().chance(50), none())));
  };
}

Recipe reduce_one(int outputs, Form form) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::refuses);
    const ValueRef self = build.input(reduced.sizes, ordered(build.dtype()));
    const bool keepdim = build.pick().chance(50);
    ArgumentList arguments_of_call = arguments(self, reduced.dims.front(), keepdim);
    for (int i = 0; form == Form::out && i < outputs; ++i) {
      const Dtype dtype = i == 0 ? build.dtype() : Dtype::int64;
      arguments_of_call.push_back(argument(build.written(dtype, reduced.result(keepdim), markers(dtype))));
    }
    build.returns(build.call(std::move(arguments_of_call)), outputs);
  };
}

Recipe reduce_one_or_all(int outputs) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::refuses);
    const ValueRef self = build.input(reduced.sizes, ordered(build.dtype()));
    const bool flat = build.edge() != Edge::empty && build.pick().chance(25);
    build.returns(build.call(arguments(self, flat ? none() : argument(reduced.dims.front()), build.pick().chance(50))), outputs);
  };
}

Recipe any(Form form) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::identity);
    const ValueRef self = build.input(reduced.sizes, truths(build.dtype()));
    const bool keepdim = build.pick().chance(50);
    call_and_return(build, form, arguments(self, reduced.dims.front(), keepdim), {reduced.result(keepdim), reduced_truth(build.dtype())});
  };
}

Recipe scan(Form form) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::identity);
    const ValueRef self = self_operand(build, form, reduced.sizes, terms(build.dtype(), reduced.count));
    call_and_return(build, form, arguments(self, reduced.dims.front(), none()), {reduced.sizes, widened(build.dtype())});
  };
}

Recipe variance(int outputs) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 4, OnEmpty::identity);
    const ValueRef self = build.input(reduced.sizes, terms(build.dtype(), reduced.count));
    const Argument correction = build.pick().chance(25) ? none() : argument(build.pick().one_of<std::int64_t>({0, 1, 2}));
    build.returns(build.call(arguments(self, list(reduced.dims), correction, build.pick().chance(50))), outputs);
  };
}

Recipe softmax(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, moderate(build.dtype()));
    call_and_return(build, form, arguments(self, dimension(build, sizes.size()), false), {sizes, build.dtype()});
  };
}

Recipe softmax_trajectory() {
  return [](DraftBuilder& build) {
    build.symbol(two_sizes(build.pick()));
    const Dim fixed{.size = boundary_size(build.pick(), 33)};
    const bool symbol_first = build.pick().chance(50);
    const Dim open{.symbol = 0};
    std::vector<Dim> sizes = symbol_first ? std::vector<Dim>{open, fixed} : std::vector<Dim>{fixed, open};
    const ValueRef self = build.symbolic(std::move(sizes), moderate(build.dtype()));
    build.returns(build.call(arguments(self, build.pick().between(-2, 1), false)));
  };
}

Recipe sum_trajectory() {
  return [](DraftBuilder& build) {
    build.symbol(two_sizes(build.pick()));
    const ValueRef self = build.symbolic({{.size = boundary_size(build.pick(), 33)}, {.symbol = 0}}, terms(build.dtype(), 129));
    build.returns(build.call(arguments(self, list({build.pick().between(-2, 1)}), build.pick().chance(50), none())));
  };
}

}  // namespace neuroncheck::generators
