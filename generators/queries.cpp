#include "generators/queries.h"

#include "generators/along.h"

namespace neuroncheck::generators {

Recipe one_element() {
  return [](DraftBuilder& build) {
    const Sizes sizes(static_cast<std::size_t>(build.edge() == Edge::none ? build.pick().between(0, 3) : 0), 1);
    build.returns(build.call(arguments(build.input(sizes, markers(build.dtype())))));
  };
}

Recipe of_dimension() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build, 1);
    build.returns(build.call(arguments(build.input(in.sizes, markers(build.dtype())), in.dim)));
  };
}

Recipe same_or_not() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const Fills fills = build.pick().chance(50) ? Fills{constant(1)} : markers(build.dtype());
    const ValueRef self = build.input(sizes, fills);
    build.returns(build.call(arguments(self, build.input(sizes, fills))));
  };
}

}  // namespace neuroncheck::generators
