#include "generators/forms.h"

namespace neuroncheck::generators {

ValueRef self_operand(DraftBuilder& build, Form form, const Sizes& sizes, Fills fills) {
  return form == Form::in_place ? build.written(build.dtype(), sizes, std::move(fills)) : build.input(sizes, std::move(fills));
}

ValueRef dense_input(DraftBuilder& build, const Sizes& sizes, Fills fills) {
  const ValueRef made = build.input(sizes, std::move(fills));
  LayoutKind& layout = build.spec(made).layout;
  if (layout == LayoutKind::sliced || layout == LayoutKind::expanded) layout = LayoutKind::contiguous;
  return made;
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
