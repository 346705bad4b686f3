#include "generators/scatter.h"

#include <algorithm>

#include "generators/elementwise.h"
#include "generators/forms.h"
#include "generators/indexed.h"

namespace neuroncheck::generators {
namespace {

// Factors of which some dozens neither overflow nor vanish.
Fills mild_factors(Dtype dtype) {
  if (kind_of(dtype) == DtypeKind::boolean) {
    return masks();
  }
  if (is_integer(dtype)) {
    return {between(lowest(dtype, -3), 4), constant(1), constant(2)};
  }
  return {between(0.75, 1.25), ranged(FillKind::positive, -0.5, 0.5), constant(-1)};
}

Fills fills_for(const std::string& reduce, Dtype dtype, std::int64_t count) {
  if (reduce == "prod" || reduce == "multiply") {
    return mild_factors(dtype);
  }
  const bool selects = reduce == "amax" || reduce == "amin" || reduce == "max" || reduce == "min";
  return selects ? ordered(dtype) : terms(dtype, count);
}

struct Accumulated {
  bool accumulate = false;
  Fills fills;
};

Accumulated draw_accumulated(DraftBuilder& build, std::int64_t count) {
  const bool accumulate = build.pick().chance(50);
  return {accumulate, accumulate ? terms(build.dtype(), count + 1) : markers(build.dtype())};
}

// CPU kernels know no mean of truth values.
std::string draw_reduce(DraftBuilder& build, std::initializer_list<const char*> choices) {
  const std::string reduce = build.pick().one_of(choices);
  return reduce == "mean" && build.dtype() == Dtype::bool_ ? "amax" : reduce;
}

// What a scatter writes from may be larger than its index, but for derivatives, which torch documents for equal sizes only.
Sizes source_sizes(DraftBuilder& build, ValueRef self, const Sizes& index) {
  Sizes sizes = index;
  for (std::int64_t& size : sizes) {
    size += !build.spec(self).requires_grad && build.pick().chance(15) ? build.pick().between(1, 3) : 0;
  }
  return sizes;
}

enum class Given : std::uint8_t { lengths, offsets };

// Segments, some of them empty, that cover `length` elements of every line.
ValueRef segments_of(DraftBuilder& build, Sizes lines, std::int64_t length, std::int64_t segments, Given what) {
  std::vector<double> numbers;
  for (std::int64_t line = 0; line < element_count(lines); ++line) {
    std::vector<std::int64_t> ends(static_cast<std::size_t>(segments), length);
    std::generate(ends.begin(), ends.end() - 1, [&] { return build.pick().between(0, length); });
    std::sort(ends.begin(), ends.end());
    ends.insert(ends.begin(), 0);
    for (std::size_t i = what == Given::offsets ? 0 : 1; i < ends.size(); ++i) {
      numbers.push_back(static_cast<double>(what == Given::offsets ? ends[i] : ends[i] - ends[i - 1]));
    }
  }
  lines.push_back(what == Given::offsets ? segments + 1 : segments);
  return made_contiguous(build, literal(build, Dtype::int64, lines, numbers));  // the CPU's kernel reads them so without a check, and may die
}

struct Segmented {
  ValueRef data;
  std::string reduce;
  Argument lengths, offsets, initial;
  std::int64_t axis;
  Sizes reduced;

  // Of segment_reduce.
  ArgumentList reduction() const { return arguments(data, reduce, lengths, none(), offsets, axis, false, initial); }
};

Segmented draw_segmented(DraftBuilder& build) {
  Segmented in;
  in.reduced = build.sizes(1, 3);
  in.axis = build.pick().below(std::min<std::int64_t>(static_cast<std::int64_t>(in.reduced.size()), 2));
  if (in.reduced.front() == 0) in.axis = 0;  // torch looks for the smallest length, and of no lines there is none
  in.reduce = build.pick().one_of({"sum", "mean", "prod", "max", "min"});
  std::int64_t& size = in.reduced[static_cast<std::size_t>(in.axis)];
  in.data = build.input(in.reduced, fills_for(in.reduce, build.dtype(), size));
  const bool by_offsets = build.pick().chance(40);
  const std::int64_t segments = build.pick().between(1, 5);
  const Sizes lines(in.reduced.begin(), in.reduced.begin() + in.axis);
  const ValueRef given = segments_of(build, lines, size, segments, by_offsets ? Given::offsets : Given::lengths);
  in.lengths = by_offsets ? none() : argument(given);
  in.offsets = by_offsets ? argument(given) : none();
  in.initial = build.pick().chance(30) ? argument(build.pick().one_of({1.0, 0.5, -2.0})) : none();
  size = segments;
  return in;
}

}  // namespace

Recipe index_add(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const std::int64_t count = draw_count(build, in);
    const Fills choices = terms(build.dtype(), count + 1);
    const ValueRef self = self_operand(build, form, in.sizes, choices);
    const ValueRef index = build.input(build.pick().chance(80) ? Dtype::int64 : Dtype::int32, {count}, indices(in.size));
    const ValueRef source = build.input(in.resized(count), choices);
    call_and_return(build, form, arguments(self, in.dim, index, source, multiplier(build)), {in.sizes, build.dtype()});
  };
}

Recipe index_copy(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const std::int64_t count = in.sizes.empty() || in.size == 0 ? in.size : boundary_size(build.pick(), in.size);
    const ValueRef self = self_operand(build, form, in.sizes, markers(build.dtype()));
    const ValueRef index = unique_index(build, {count}, 0, in.size);
    const ValueRef source = build.input(in.resized(count), markers(build.dtype()));
    call_and_return(build, form, arguments(self, in.dim, index, source), {in.sizes, build.dtype()});
  };
}

Recipe index_fill(Source value) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const std::int64_t count = draw_count(build, in);
    const ValueRef self = build.input(in.sizes, markers(build.dtype()));
    const ValueRef index = build.input(Dtype::int64, {count}, indices(in.size));
    const Argument filled = value == Source::scalar ? scalar(build) : argument(build.input(Sizes{}, markers(build.dtype())));
    build.returns(build.call(arguments(self, in.dim, index, filled)));
  };
}

Recipe index_put(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes(1);
    if (build.pick().chance(25)) {
      const ValueRef self = self_operand(build, form, sizes, markers(build.dtype()));
      const ValueRef mask = build.input(Dtype::bool_, sizes, masks());
      const ValueRef value = build.input(build.pick().chance(50) ? Sizes{} : Sizes{1}, markers(build.dtype()));
      build.returns(build.call(arguments(self, ArgumentList{argument(mask)}, value, false)));
      return;
    }
    const auto first = static_cast<std::size_t>(build.pick().below(static_cast<std::int64_t>(sizes.size())));
    const std::int64_t count = sizes[first] == 0 ? 0 : boundary_size(build.pick(), sizes[first]);
    const Accumulated how = draw_accumulated(build, count);
    const ValueRef self = self_operand(build, form, sizes, how.fills);
    ArgumentList index(first, none());
    index.push_back(
        argument(how.accumulate ? build.input(Dtype::int64, {count}, indices(sizes[first])) : unique_index(build, {count}, 0, sizes[first])));
    Sizes taken = sizes;
    taken[first] = count;
    const ValueRef values = build.input(broadcastable(build.pick(), taken), how.fills);
    build.returns(build.call(arguments(self, index, values, how.accumulate)));
  };
}

Recipe put() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const std::int64_t elements = element_count(sizes);
    const std::int64_t count = elements == 0 ? 0 : boundary_size(build.pick(), elements);
    const Accumulated how = draw_accumulated(build, count);
    const ValueRef self = build.input(sizes, how.fills);
    const ValueRef index = how.accumulate ? build.input(Dtype::int64, {count}, indices(elements)) : unique_index(build, {count}, 0, elements);
    const ValueRef source = build.input({count}, how.fills);
    build.returns(build.call(arguments(self, index, source, how.accumulate)));
  };
}

Recipe scatter(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const Sizes sizes = unique_sizes(build, in);
    const ValueRef self = self_operand(build, form, in.sizes, markers(build.dtype()));
    const ValueRef index = unique_index(build, sizes, in.dim, in.size);
    const ValueRef source = build.input(source_sizes(build, self, sizes), markers(build.dtype()));
    call_and_return(build, form, arguments(self, in.dim, index, source), {in.sizes, build.dtype()});
  };
}

Recipe scatter_value(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const ValueRef self = self_operand(build, form, in.sizes, markers(build.dtype()));
    const ValueRef index = build.input(Dtype::int64, index_sizes(build, in), indices(in.size));
    call_and_return(build, form, arguments(self, in.dim, index, scalar(build)), {in.sizes, build.dtype()});
  };
}

Recipe scatter_add(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const Sizes sizes = index_sizes(build, in);
    const Fills choices = terms(build.dtype(), in.size_in(sizes) + 1);
    const ValueRef self = self_operand(build, form, in.sizes, choices);
    const ValueRef index = build.input(Dtype::int64, sizes, indices(in.size));
    const ValueRef source = build.input(sizes, choices);
    call_and_return(build, form, arguments(self, in.dim, index, source), {in.sizes, build.dtype()});
  };
}

Recipe scatter_combined(Source source, Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const Sizes sizes = index_sizes(build, in);
    const std::string reduce = build.pick().one_of({"add", "multiply"});
    const Fills choices = fills_for(reduce, build.dtype(), element_count(sizes) + 1);
    const ValueRef self = self_operand(build, form, in.sizes, choices);
    const ValueRef index = build.input(Dtype::int64, sizes, indices(in.size));
    const auto factor = [&] { return build.dtype() == Dtype::bool_ ? argument(true) : choose(build, {1.0, -1.0, 0.75, 1.25}, {0, 1, 2, 3}); };
    const Argument combined = source == Source::scalar ? factor() : argument(build.input(source_sizes(build, self, sizes), choices));
    call_and_return(build, form, arguments(self, in.dim, index, combined, reduce), {in.sizes, build.dtype()});
  };
}

Recipe scatter_reduce() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build);
    const Sizes sizes = index_sizes(build, in);
    const std::string reduce = draw_reduce(build, {"sum", "prod", "mean", "amax", "amin"});
    const Fills choices = fills_for(reduce, build.dtype(), element_count(sizes) + 1);
    const ValueRef self = build.input(in.sizes, choices);
    const ValueRef index = build.input(Dtype::int64, sizes, indices(in.size));
    const ValueRef source = build.input(source_sizes(build, self, sizes), choices);
    build.returns(build.call(arguments(self, in.dim, index, source, reduce, build.pick().chance(60))));
  };
}

Recipe index_reduce() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build);
    const std::int64_t count = draw_count(build, in);
    // The product of 16-bit floats fails an assertion of libtorch 2.13 (Loops.h:351) where a slice holds one element.
    const bool multiplies = build.dtype() != Dtype::bfloat16 && build.dtype() != Dtype::float16;
    const std::string reduce = multiplies ? build.pick().one_of({"prod", "mean", "amax", "amin"}) : build.pick().one_of({"mean", "amax", "amin"});
    const Fills choices = fills_for(reduce, build.dtype(), count + 1);
    const ValueRef self = build.input(in.sizes, choices);
    const ValueRef index = build.input(Dtype::int64, {count}, indices(in.size));
    const ValueRef source = build.input(in.resized(count), choices);
    build.returns(build.call(arguments(self, in.dim, index, source, reduce, build.pick().chance(60))));
  };
}

Recipe segment_reduce() {
  return [](DraftBuilder& build) {
    const Segmented in = draw_segmented(build);
    build.returns(build.call(in.reduction()));
  };
}

Recipe segment_reduce_backward() {
  return [](DraftBuilder& build) {
    const Segmented in = draw_segmented(build);
    const ValueRef grad = build.input(in.reduced, factors(build.dtype(), 1));
    const ValueRef output = build.call("aten::segment_reduce", in.reduction());
    build.returns(build.call(arguments(grad, output, in.data, in.reduce, in.lengths, in.offsets, in.axis, in.initial)));
  };
}

}  // namespace neuroncheck::generators
