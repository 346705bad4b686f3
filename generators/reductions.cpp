#include "generators/reductions.h"

#include <algorithm>

namespace neuroncheck::generators {
namespace {

enum class OnEmpty : std::uint8_t { identity, refuses };

struct Reduced {
  Sizes sizes;
  Sizes dims;              // as written: some count from the end
  std::int64_t count = 1;  // elements reduced into one
  std::vector<bool> gone;  // per dimension

  Sizes result(bool keepdim) const {
    Sizes left;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (!gone[i]) {
        left.push_back(sizes[i]);
      } else if (keepdim) {
        left.push_back(1);
      }
    }
    return left;
  }
};

void reduce(DraftBuilder& build, Reduced& reduced, std::size_t dim) {
  const auto rank = static_cast<std::int64_t>(reduced.sizes.size());
  const auto written = static_cast<std::int64_t>(dim);
  reduced.gone[dim] = true;
  reduced.count *= reduced.sizes[dim];
  reduced.dims.push_back(build.pick().chance(40) ? written - rank : written);
}

// A shape and at least one, at most `most` of its dimensions.
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

Fills product_terms(Dtype dtype) {
  if (kind_of(dtype) == DtypeKind::boolean) {
    return masks();
  }
  if (is_integer(dtype)) {
    return {{.kind = FillKind::uniform, .low = dtype == Dtype::uint8 ? 0.0 : -3.0, .high = 4, .bits = {}}, constant(1), constant(2)};
  }
  // Products of several hundred stay finite in float16: an overflow that a later zero meets would depend on the order.
  return {{.kind = FillKind::uniform, .low = 0.75, .high = 1.25, .bits = {}},
          {.kind = FillKind::positive, .low = -0.5, .high = 0.5, .bits = {}},
          constant(1),
          constant(-1)};
}

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
    Fills choices = terms(build.dtype(), reduced.count);
    const Fills extra = fills(build.dtype());
    choices.insert(choices.end(), extra.begin(), extra.end());
    const ValueRef self = build.input(reduced.sizes, std::move(choices));
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

Recipe reduce_one(int outputs) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::refuses);
    const ValueRef self = build.input(reduced.sizes, ordered(build.dtype()));
    build.returns(build.call(arguments(self, reduced.dims.front(), build.pick().chance(50))), outputs);
  };
}

Recipe argmax() {
  return [](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::refuses);
    const ValueRef self = build.input(reduced.sizes, ordered(build.dtype()));
    const bool flat = build.edge() != Edge::empty && build.pick().chance(25);
    build.returns(build.call(arguments(self, flat ? none() : argument(reduced.dims.front()), build.pick().chance(50))));
  };
}

Recipe any() {
  return [](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::identity);
    Fills choices = ordered(build.dtype());
    choices.push_back(constant(0));
    const ValueRef self = build.input(reduced.sizes, std::move(choices));
    build.returns(build.call(arguments(self, reduced.dims.front(), build.pick().chance(50))));
  };
}

Recipe scan(Form form) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::identity);
    const ValueRef self = self_operand(build, form, reduced.sizes, terms(build.dtype(), reduced.count));
    call_and_return(build, form, arguments(self, reduced.dims.front(), none()), {reduced.sizes, widened(build.dtype())});
  };
}

Recipe variance() {
  return [](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 4, OnEmpty::identity);
    const ValueRef self = build.input(reduced.sizes, terms(build.dtype(), reduced.count));
    const Argument correction = build.pick().chance(25) ? none() : argument(build.pick().one_of<std::int64_t>({0, 1, 2}));
    build.returns(build.call(arguments(self, list(reduced.dims), correction, build.pick().chance(50))));
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

Recipe layer_norm() {
  return [](DraftBuilder& build) {
    // One to two normalised dimensions, never empty: the mean of nothing is not defined.
    const Sizes normalized = draw_sizes(build.pick(), Edge::none, {.min_rank = 1, .max_rank = 2, .budget = 513});
    const Sizes outer = draw_sizes(build.pick(), build.edge(), {.min_rank = build.edge() == Edge::scalar ? 0 : 1, .max_rank = 2, .budget = 16});
    Sizes sizes = outer;
    sizes.insert(sizes.end(), normalized.begin(), normalized.end());
    const Fills choices = {{.kind = FillKind::normal, .bits = {}},
                           {.kind = FillKind::uniform, .low = -4, .high = 12, .bits = {}},
                           {.kind = FillKind::exact_integer, .parameter = 3, .bits = {}},
                           {.kind = FillKind::repeated, .parameter = 2, .bits = {}}};
    const ValueRef input = build.input(sizes, choices);
    const Argument weight = build.pick().chance(75) ? argument(build.input(normalized, choices)) : none();
    const Argument bias = build.pick().chance(75) ? argument(build.input(normalized, choices)) : none();
    const double epsilon = build.pick().one_of({1e-5, 1e-3, 1e-6});
    build.returns(build.call(arguments(input, list(normalized), weight, bias, epsilon)), 3);
  };
}

}  // namespace neuroncheck::generators
