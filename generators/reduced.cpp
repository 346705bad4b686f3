#include "generators/reduced.h"

#include <algorithm>

namespace neuroncheck::generators {
namespace {

void reduce(DraftBuilder& build, Reduced& reduced, std::size_t dim) {
  const auto rank = static_cast<std::int64_t>(reduced.sizes.size());
  const auto written = static_cast<std::int64_t>(dim);
  reduced.gone[dim] = true;
  reduced.count *= reduced.sizes[dim];
  reduced.dims.push_back(build.pick().chance(40) ? written - rank : written);
}

}  // namespace

Reduced draw_reduced(DraftBuilder& build, std::int64_t most, OnEmpty on_empty) {
  Reduced reduced{.sizes = build.sizes(0), .dims = {}, .gone = {}};
  if (on_empty == OnEmpty::refuses && build.edge() == Edge::empty && reduced.sizes.size() == 1) {
    reduced.sizes.push_back(boundary_size(build.pick(), 64));
  }
  const auto rank = static_cast<std::int64_t>(reduced.sizes.size());
  reduced.gone.resize(reduced.sizes.size());
  if (rank == 0) {
    reduced.dims.push_back(build.pick().one_of<std::int64_t>({0, -1}));
    return reduced;
  }
  const std::int64_t wanted = build.pick().chance(60) ? 1 : build.pick().between(1, std::min(most, rank));
  const std::int64_t first = build.pick().below(rank);
  for (std::int64_t i = 0; i < rank && static_cast<std::int64_t>(reduced.dims.size()) < wanted; ++i) {
    const auto dim = static_cast<std::size_t>((first + i) % rank);
    if (on_empty == OnEmpty::identity || reduced.sizes[dim] != 0) {
      reduce(build, reduced, dim);
    }
  }
  return reduced;
}

Sizes draw_whole(DraftBuilder& build, OnEmpty on_empty) {
  const bool refuses = on_empty == OnEmpty::refuses && build.edge() == Edge::empty;
  return refuses ? draw_sizes(build.pick(), Edge::none, {.min_rank = 1, .budget = 64}) : build.sizes(0);
}

Fills product_terms(Dtype dtype) {
  if (kind_of(dtype) == DtypeKind::boolean) {
    return masks();
  }
  if (is_integer(dtype)) {
    return {between(lowest(dtype, -3), 4), constant(1), constant(2)};
  }
  // Products of several hundred stay finite in float16: an overflow that a later zero meets would depend on the order.
  return {between(0.75, 1.25), ranged(FillKind::positive, -0.5, 0.5), constant(1), constant(-1)};
}

Dtype reduced_truth(Dtype dtype) { return dtype == Dtype::uint8 ? Dtype::uint8 : Dtype::bool_; }

Fills truths(Dtype dtype) {
  Fills choices = ordered(dtype);
  choices.push_back(constant(0));
  return choices;
}

}  // namespace neuroncheck::generators
