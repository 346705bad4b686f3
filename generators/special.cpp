#include "generators/special.h"

namespace neuroncheck::generators {
namespace {

constexpr std::int64_t kLargestDegree = 12;

}  // namespace

Fills above_one(Dtype /*dtype*/) { return {between(1.25, 8), ranged(FillKind::positive, 0.5, 4)}; }

Fills above_two(Dtype /*dtype*/) { return {between(2, 9), ranged(FillKind::positive, 1, 4)}; }

Fills open_unit_interval(Dtype /*dtype*/) { return {between(0.0625, 0.9375), ranged(FillKind::positive, -9, -1)}; }

Recipe polynomial() {
  return [](DraftBuilder& build) {
    const auto [left, right] = broadcast_pair(build.pick(), build.sizes());
    const ValueRef x = build.input(left, {between(-1.25, 1.25), constant(1), constant(-1), constant(0)});
    const ValueRef degree = build.input(Dtype::int64, right, indices(kLargestDegree + 1));
    build.returns(build.call(arguments(x, degree)));
  };
}

Recipe polygamma() {
  return [](DraftBuilder& build) {
    const ValueRef x = build.input(build.sizes(), above_one(build.dtype()));
    build.returns(build.call(arguments(build.pick().between(0, 4), x)));
  };
}

Recipe multivariate_gamma() {
  return [](DraftBuilder& build) {
    const std::int64_t p = build.pick().between(1, 4);
    const ValueRef x = build.input(build.sizes(), {between(2.5, 9)});
    build.returns(build.call(arguments(x, p)));
  };
}

}  // namespace neuroncheck::generators
