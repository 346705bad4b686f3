#include "generators/creation.h"

#include <algorithm>

#include "generators/along.h"

namespace neuroncheck::generators {
namespace {

// A scalar that every dtype holds.
Argument any_scalar(DraftBuilder& build) {
  return build.dtype() == Dtype::bool_ ? scalar(build) : argument(build.pick().one_of({0, 1, 2, 3, 7, 100}));
}

// The dtype that a call asks for: none in a third of the calls.
Argument asked_dtype(DraftBuilder& build) {
  if (build.pick().chance(35)) return none();
  return argument(build.pick().chance(50) ? build.dtype() : build.pick().one_of({Dtype::float32, Dtype::bfloat16, Dtype::int64, Dtype::uint8}));
}

Argument asked_format(DraftBuilder& build, std::size_t rank) {
  if (rank == 4 && build.pick().chance(40)) return argument("torch.channels_last");
  return build.pick().chance(50) ? none() : argument("torch.contiguous_format");
}

// Strides that keep the elements apart, in any order of dimensions, with a gap now and then.
Sizes strides_of(DraftBuilder& build, const Sizes& sizes) {
  Sizes strides(sizes.size());
  std::int64_t next = build.pick().chance(80) ? 1 : 2;
  for (const std::int64_t dim : shuffled_dimensions(build, sizes.size())) {
    strides[static_cast<std::size_t>(dim)] = next;
    next *= std::max<std::int64_t>(sizes[static_cast<std::size_t>(dim)], 1);
  }
  return strides;
}

Argument end_of(DraftBuilder& build, double value, bool as_tensor) {
  if (!as_tensor) return is_floating(build.dtype()) ? argument(value) : argument(static_cast<std::int64_t>(value));
  return argument(contiguous_input(build, Sizes{}, {constant(value)}));
}

// The ends, and in between whole steps for integers: then no rounding can reach the next integer.
ArgumentList space(DraftBuilder& build, Ends ends, std::int64_t span) {
  const std::int64_t steps = build.edge() == Edge::empty ? 0 : build.edge() == Edge::scalar ? 1 : boundary_size(build.pick(), 129);
  const bool integral = !is_floating(build.dtype());
  const auto start = static_cast<double>(build.pick().between(integral ? 0 : -span, span)) * (integral ? 1.0 : 0.25);
  const std::int64_t most = integral ? std::max<std::int64_t>((100 - span) / std::max<std::int64_t>(steps, 1), 0) : span;
  const auto advance = static_cast<double>(build.pick().between(integral ? 0 : -span, std::min(span, most)));
  const double end = start + (integral ? advance * static_cast<double>(std::max<std::int64_t>(steps - 1, 0)) : advance * 0.5);
  const Argument first = end_of(build, start, ends == Ends::tensor_start || ends == Ends::tensors);
  return arguments(first, end_of(build, end, ends == Ends::tensor_end || ends == Ends::tensors), steps);
}

// A contiguous tensor to be laid out anew, and sizes with no more elements.
std::pair<ValueRef, Sizes> draw_resized(DraftBuilder& build) {
  const Sizes sizes = build.sizes();
  const ValueRef self = made_viewable(build, build.written(build.dtype(), sizes, markers(build.dtype())));
  std::int64_t left = element_count(sizes);
  Sizes result(static_cast<std::size_t>(build.pick().between(left == 1 ? 0 : 1, 3)));
  for (std::int64_t& size : result) {
    size = left == 0 ? 0 : build.pick().chance(40) ? left : build.pick().between(1, left);
    left = left == 0 ? 1 : left / size;
  }
  return {self, result};
}

}  // namespace

// Starts and steps that every dtype holds, so that start + i * step is exact for a while.
Recipe arange(Numbers numbers, Form form) {
  return [=](DraftBuilder& build) {
    const std::int64_t count = build.edge() == Edge::none ? boundary_size(build.pick(), 33) : build.edge() == Edge::empty ? 0 : 1;
    const auto whole_first = static_cast<double>(build.pick().between(0, 5)), whole_step = static_cast<double>(build.pick().between(1, 3));
    const bool fractions = is_floating(build.dtype()) && build.pick().chance(50);
    const double first = numbers == Numbers::end ? 0.0 : whole_first - (fractions ? 0.5 : 0.0);
    const double step = numbers == Numbers::step ? whole_step * (fractions ? 0.25 : 1.0) : 1.0;
    const double last = first + step * static_cast<double>(count);
    const auto written = [&](double number) { return fractions ? argument(number) : argument(static_cast<std::int64_t>(number)); };
    ArgumentList given = numbers == Numbers::end ? arguments(written(last)) : arguments(written(first), written(last));
    if (numbers == Numbers::step) given.push_back(written(step));
    if (form == Form::functional) given.push_back(argument(build.dtype()));
    call_and_return(build, form, std::move(given), {{count}, build.dtype()});
  };
}

Recipe linspace(Ends ends) {
  return [=](DraftBuilder& build) {
    ArgumentList given = space(build, ends, 16);
    given.push_back(argument(build.dtype()));
    build.returns(build.call(std::move(given)));
  };
}

Recipe logspace(Ends ends) {
  return [=](DraftBuilder& build) {
    ArgumentList given = space(build, ends, 8);
    given.push_back(argument(build.pick().one_of({2.0, 10.0, 0.5, 1.5})));
    given.push_back(argument(build.dtype()));
    build.returns(build.call(std::move(given)));
  };
}

Recipe eye(int dimensions, Form form) {
  return [=](DraftBuilder& build) {
    const auto size = [&] { return build.edge() == Edge::none ? boundary_size(build.pick(), 33) : build.edge() == Edge::empty ? 0 : 1; };
    const Sizes sizes = dimensions == 1 ? Sizes(2, size()) : Sizes{size(), build.edge() == Edge::empty ? 3 : size()};
    ArgumentList given = dimensions == 1 ? arguments(sizes[0]) : arguments(sizes[0], sizes[1]);
    if (form == Form::functional) given.push_back(argument(build.dtype()));
    call_and_return(build, form, std::move(given), {sizes, build.dtype()});
  };
}

Recipe triangle_indices() {
  return [](DraftBuilder& build) {
    const std::int64_t rows = build.edge() == Edge::empty ? 0 : boundary_size(build.pick(), 33), columns = boundary_size(build.pick(), 33);
    build.returns(build.call(arguments(rows, columns, build.pick().between(-rows - 1, columns + 1), build.dtype())));
  };
}

Recipe filled(Value value, Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    ArgumentList given = arguments(list(sizes));
    if (value == Value::given) given.push_back(scalar(build));
    if (form == Form::functional) given.push_back(argument(build.dtype()));
    call_and_return(build, form, std::move(given), {sizes, build.dtype()});
  };
}

Recipe scalar_tensor() {
  return [](DraftBuilder& build) { build.returns(build.call(arguments(scalar(build), build.dtype()))); };
}

Recipe filled_like(Value value) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    ArgumentList given = arguments(build.input(sizes, markers(build.dtype())));
    if (value == Value::given) given.push_back(any_scalar(build));
    const ArgumentList options = arguments(asked_dtype(build), none(), none(), none(), asked_format(build, sizes.size()));
    build.returns(build.call(joined(std::move(given), options)));
  };
}

Recipe new_filled(Value value) {
  return [=](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(0, 2), markers(build.dtype()));
    ArgumentList given = arguments(self, list(build.sizes()));
    if (value == Value::given) given.push_back(any_scalar(build));
    given.push_back(asked_dtype(build));
    build.returns(build.call(std::move(given)));
  };
}

Recipe fill(Value value, Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, markers(build.dtype()));
    build.returns(build.call(value == Value::given ? arguments(self, scalar(build)) : arguments(self)));
  };
}

Recipe fill_with_tensor() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.written(build.dtype(), build.sizes(), markers(build.dtype()));
    const ValueRef value = build.input(Sizes{}, markers(build.dtype()));
    build.returns(build.call(arguments(self, value)));
  };
}

Recipe empty() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    build.returns(build.call(arguments(list(sizes), build.dtype(), none(), none(), none(), asked_format(build, sizes.size()))));
  };
}

Recipe empty_permuted() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    build.returns(build.call(arguments(list(sizes), list(shuffled_dimensions(build, sizes.size())), build.dtype())));
  };
}

Recipe empty_strided() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    build.returns(build.call(arguments(list(sizes), list(strides_of(build, sizes)), build.dtype())));
  };
}

Recipe new_empty_strided() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(0, 2), markers(build.dtype()));
    const Sizes sizes = build.sizes();
    build.returns(build.call(arguments(self, list(sizes), list(strides_of(build, sizes)), asked_dtype(build))));
  };
}

Recipe resize() {
  return [](DraftBuilder& build) {
    const auto [self, sizes] = draw_resized(build);
    build.returns(build.call(arguments(self, list(sizes), asked_format(build, sizes.size()))));
  };
}

Recipe resize_as() {
  return [](DraftBuilder& build) {
    const auto [self, sizes] = draw_resized(build);
    const ValueRef like = build.input(sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, like, asked_format(build, sizes.size()))));
  };
}

Recipe set_to_nothing() {
  return [](DraftBuilder& build) { build.returns(build.call(arguments(build.written(build.dtype(), build.sizes(), markers(build.dtype()))))); };
}

}  // namespace neuroncheck::generators
