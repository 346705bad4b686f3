#include "generators/special.h"

namespace neuroncheck::generators {
namespace {

constexpr std::int64_t kLargestDegree = 12;

}  // namespace

Fills above_one(Dtype /*dtype*/) {
  return {{.kind = FillKind::uniform, .low = 1.25, .high = 8, .bits = {}}, {.kind = FillKind::positive, .low = 0.5, .high = 4, .bits = {}}};
}

Fills above_two(Dtype /*dtype*/) {
  return {{.kind = FillKind::uniform, .low = 2, .high = 9, .bits = {}}, {.kind = FillKind::positive, .low = 1, .high = 4, .bits = {}}};
}

Fills open_unit_interval(Dtype /*dtype*/) {
  return {{.kind = FillKind::uniform, .low = 0.0625, .high = 0.9375, .bits = {}}, {.kind = FillKind::positive, .low = -9, .high = -1, .bits = {}}};
}

Recipe polynomial() {
  return [](DraftBuilder& build) {
    const auto [left, right] = broadcast_pair(build.pick(), build.sizes());
    const ValueRef x =
        build.input(left, {{.kind = FillKind::uniform, .low = -1.25, .high = 1.25, .bits = {}}, constant(1), constant(-1), constant(0)});
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
    const ValueRef x = build.input(build.sizes(), {{.kind = FillKind::uniform, .low = 2.5, .high = 9, .bits = {}}});
    build.returns(build.call(arguments(x, p)));
  };
}

}  // namespace neuroncheck::generators
