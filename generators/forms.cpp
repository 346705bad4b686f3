#include "generators/forms.h"

#include <algorithm>

namespace neuroncheck::generators {

ValueRef self_operand(DraftBuilder& build, Form form, const Sizes& sizes, Fills fills) {
  return form == Form::in_place ? build.written(build.dtype(), sizes, std::move(fills)) : build.input(sizes, std::move(fills));
}

ValueRef made_contiguous(DraftBuilder& build, ValueRef input, std::initializer_list<LayoutKind> layouts) {
  const bool taken_away = std::find(layouts.begin(), layouts.end(), build.spec(input).layout) != layouts.end();
  return taken_away ? made_contiguous(build, input) : input;
}

ValueRef made_contiguous(DraftBuilder& build, ValueRef input) {
  build.spec(input).layout = LayoutKind::contiguous;
  return input;
}

ValueRef contiguous_input(DraftBuilder& build, const Sizes& sizes, Fills fills) {
  return made_contiguous(build, build.input(sizes, std::move(fills)));
}

ValueRef contiguous_input(DraftBuilder& build, Dtype dtype, const Sizes& sizes, Fills fills) {
  return made_contiguous(build, build.input(dtype, sizes, std::move(fills)));
}

ValueRef made_viewable(DraftBuilder& build, ValueRef input) {
  build.spec(input).layout = build.pick().chance(70) ? LayoutKind::contiguous : LayoutKind::offset;
  return input;
}

ValueRef dense_input(DraftBuilder& build, const Sizes& sizes, Fills fills) {
  return made_contiguous(build, build.input(sizes, std::move(fills)), {LayoutKind::sliced, LayoutKind::expanded});
}

void call_and_return(DraftBuilder& build, Form form, ArgumentList arguments, const Result& result) {
  if (form == Form::out) {
    arguments.push_back(argument(build.written(result.dtype, result.sizes, markers(result.dtype))));
  }
  build.returns(build.call(std::move(arguments)));
}

Dtype same(Dtype dtype) { return dtype; }
Dtype truth(Dtype /*dtype*/) { return Dtype::bool_; }

Dtype widened(Dtype dtype) { return is_floating(dtype) ? dtype : Dtype::int64; }

}  // namespace neuroncheck::generators
