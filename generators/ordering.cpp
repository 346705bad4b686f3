#include "generators/ordering.h"

#include <algorithm>

#include "generators/indexed.h"

namespace neuroncheck::generators {
namespace {

// Values and indices.
void call_and_return_both(DraftBuilder& build, Form form, ArgumentList arguments, const Sizes& sizes) {
  if (form == Form::out) {
    arguments.push_back(argument(build.written(build.dtype(), sizes, markers(build.dtype()))));
    arguments.push_back(argument(build.written(Dtype::int64, sizes, markers(Dtype::int64))));
  }
  build.returns(build.call(std::move(arguments)), 2);
}

// Few values that every device tells apart: neither NaN nor what it may flush or narrow.
Fills few_values(Dtype dtype) {
  if (kind_of(dtype) == DtypeKind::boolean) {
    return masks();
  }
  Fills fills = {counted(FillKind::repeated, 3), counted(FillKind::repeated, 1), counted(FillKind::exact_integer, 3)};
  if (is_integer(dtype)) {
    fills.push_back(between(lowest(dtype, -50), 50));
  }
  return fills;
}

// Among and beside the boundaries of `sorted_rows`.
Fills searched(Dtype dtype) {
  Fills fills = few_values(dtype);
  fills.push_back(between(lowest(dtype, -12), 12));
  if (is_floating(dtype)) {
    fills.push_back(fill_of(FillKind::normal));
  }
  return fills;
}

// Ascending multiples of a half (of one, for integers) within +-10, some of them repeated.
std::vector<double> sorted_row(DraftBuilder& build, std::int64_t length) {
  std::vector<double> row;
  for (std::int64_t i = 0; i < length; ++i) {
    const auto number = static_cast<double>(build.dtype() == Dtype::uint8 ? build.pick().between(0, 20) : build.pick().between(-10, 10));
    row.push_back(is_floating(build.dtype()) ? number * 0.5 : number);
  }
  std::sort(row.begin(), row.end());
  return row;
}

struct Sequence {
  ValueRef values;
  Argument sorter = none();
};

// Rows in ascending order, or in any with the permutation that sorts them.
Sequence draw_sequence(DraftBuilder& build, const Sizes& sizes) {
  const bool sorted = build.pick().chance(70);
  const std::int64_t length = sizes.back();
  const std::int64_t rows = length == 0 ? 0 : element_count(sizes) / length;
  std::vector<double> values, order;
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::vector<double> row = sorted_row(build, length);
    const std::int64_t turn = sorted ? 0 : build.pick().below(length);
    for (std::int64_t i = 0; i < length; ++i) {
      values.push_back(row[static_cast<std::size_t>((i + turn) % length)]);
      order.push_back(static_cast<double>((i + length - turn) % length));
    }
  }
  const ValueRef made = literal(build, build.dtype(), sizes, values);
  return {made, sorted ? none() : argument(literal(build, Dtype::int64, sizes, order))};
}

// How many of (output, inverse, counts) are asked for.
std::int64_t draw_outputs(DraftBuilder& build, std::int64_t most) { return build.pick().between(1, most); }

}  // namespace

Recipe topk(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const std::int64_t k = in.size == 0 ? 0 : boundary_size(build.pick(), in.size);
    const ValueRef self = build.input(in.sizes, ordered(build.dtype()));
    call_and_return_both(build, form, arguments(self, k, in.dim, build.pick().chance(50), true), in.resized(k));
  };
}

Recipe sort(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const ValueRef self = build.input(in.sizes, ordered(build.dtype()));
    call_and_return_both(build, form, arguments(self, in.dim, build.pick().chance(50)), in.sizes);
  };
}

Recipe stable_sort(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const ValueRef self = build.input(in.sizes, ordered(build.dtype()));
    call_and_return_both(build, form, arguments(self, true, in.dim, build.pick().chance(50)), in.sizes);
  };
}

Recipe stable_argsort() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build);
    const ValueRef self = build.input(in.sizes, ordered(build.dtype()));
    build.returns(build.call(arguments(self, true, in.dim, build.pick().chance(50))));
  };
}

Recipe bucketize() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), searched(build.dtype()));
    const std::int64_t count = boundary_size(build.pick(), 65);
    const ValueRef boundaries = literal(build, build.dtype(), {count}, sorted_row(build, count));
    const bool as_int32 = build.pick().chance(40);
    build.returns(build.call(arguments(self, boundaries, as_int32, build.pick().chance(50))));
  };
}

Recipe searchsorted() {
  return [](DraftBuilder& build) {
    // One row for all, or one for each row of what is searched for.
    const Sizes sizes = build.sizes();
    const bool shared = sizes.empty() || build.pick().chance(50);
    Sizes sequence_sizes = shared ? Sizes{1} : sizes;
    sequence_sizes.back() = boundary_size(build.pick(), 33);
    const Sequence sequence = draw_sequence(build, sequence_sizes);
    const ValueRef self = build.input(sizes, searched(build.dtype()));
    const bool right = build.pick().chance(50), named = build.pick().chance(40);
    const Argument side = named ? argument(right ? "right" : build.pick().one_of({"left", "right"})) : none();
    build.returns(build.call(arguments(sequence.values, self, build.pick().chance(40), right, side, sequence.sorter)));
  };
}

Recipe isin() {
  return [](DraftBuilder& build) {
    const ValueRef elements = build.input(build.sizes(), searched(build.dtype()));
    const Sizes sizes = draw_sizes(build.pick(), build.pick().chance(10) ? Edge::empty : Edge::none, {.max_rank = 2, .budget = 65});
    // libtorch 2.13 raises for few test elements that cannot be viewed as one row.
    const ValueRef tested = contiguous_input(build, sizes, searched(build.dtype()));
    build.returns(build.call(arguments(elements, tested, false, build.pick().chance(40))));
  };
}

Recipe unique_consecutive() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, few_values(build.dtype()));
    const std::int64_t outputs = draw_outputs(build, 3);
    const bool along = !sizes.empty() && element_count(sizes) > 0 && build.pick().chance(50);
    const Argument dim = along ? argument(dimension(build, sizes.size())) : none();
    build.returns(build.call(arguments(self, outputs > 1, outputs > 2, dim)), static_cast<int>(outputs));
  };
}

Recipe unique(Counts counts) {
  return [=](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), few_values(build.dtype()));
    const std::int64_t outputs = draw_outputs(build, counts == Counts::none ? 2 : 3);
    ArgumentList in = arguments(self, true, outputs > 1);
    if (counts == Counts::drawn) {
      in.push_back(argument(outputs > 2));
    }
    build.returns(build.call(std::move(in)), static_cast<int>(outputs));
  };
}

Recipe bincount() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(1, 1), {counted(FillKind::index, 17), constant(0), constant(3)});
    build.returns(build.call(arguments(self, none(), build.pick().one_of<std::int64_t>({0, 1, 5, 33}))));
  };
}

Recipe weighted_bincount() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes(1, 1);
    const ValueRef self = build.input(build.pick().one_of({Dtype::int64, Dtype::int32, Dtype::uint8}), sizes, indices(build.pick().between(1, 33)));
    const ValueRef weights = build.input(sizes, terms(build.dtype(), element_count(sizes)));
    build.returns(build.call(arguments(self, weights, build.pick().one_of<std::int64_t>({0, 1, 33}))));
  };
}

}  // namespace neuroncheck::generators
