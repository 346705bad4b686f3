#include "generators/lists.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "generators/elementwise.h"

namespace neuroncheck::generators {
namespace {

using Shapes = std::vector<Sizes>;

// One to four tensors of different shapes; the first is an edge where the slot is one.
Shapes draw_shapes(DraftBuilder& build) {
  const std::int64_t count = build.pick().between(1, 4);
  const std::int64_t budget = std::max<std::int64_t>(build.budget() / count, 1);
  Shapes shapes;
  for (std::int64_t i = 0; i < count; ++i) {
    shapes.push_back(draw_sizes(build.pick(), i == 0 ? build.edge() : Edge::none, {.max_rank = 3, .budget = budget}));
  }
  return shapes;
}

template <typename Make>
Argument for_each_shape(const Shapes& shapes, Make make) {
  ArgumentList tensors;
  for (const Sizes& sizes : shapes) {
    tensors.push_back(argument(make(sizes)));
  }
  return {std::move(tensors)};
}

Argument partner_of(DraftBuilder& build, const ListOp& op, Partner partner, const Shapes& shapes) {
  switch (partner) {
    case Partner::list:
      return for_each_shape(shapes, [&](const Sizes& sizes) { return build.input(sizes, op.fills(build.dtype())); });
    case Partner::scalar:
      return op.number(build);
    case Partner::scalars: {
      ArgumentList numbers;
      std::generate_n(std::back_inserter(numbers), shapes.size(), [&] { return op.number(build); });
      return {std::move(numbers)};
    }
    case Partner::tensor: {
      const ValueRef number = build.input(Sizes{}, op.fills(build.dtype()));
      build.spec(number).requires_grad = false;  // torch 2.13 raises "inconsistent range for TensorList output" for its gradient
      return argument(number);
    }
  }
  throw std::logic_error("partner_of: unknown partner");
}

// As many results as the first list has tensors; in-place and out= forms write them to the first inputs. `out` is none for other forms.
void call_and_return_lists(DraftBuilder& build, Form form, ArgumentList in, const Argument& out) {
  const auto count = static_cast<int>(std::get<ArgumentList>(in.front().value).size());
  if (form == Form::out) in.push_back(out);
  const ValueRef made = build.call(std::move(in));
  build.returns(form == Form::functional ? made : ValueRef{}, count);
}

}  // namespace

Recipe map_list(const ListOp& op, Partner partner, Form form) {
  return [=](DraftBuilder& build) {
    const Shapes shapes = draw_shapes(build);
    const auto stale = [&](const Sizes& sizes) { return build.written(op.made(build.dtype()), sizes, markers(op.made(build.dtype()))); };
    const Argument out = form == Form::out ? for_each_shape(shapes, stale) : none();
    const Argument self = for_each_shape(shapes, [&](const Sizes& sizes) { return self_operand(build, form, sizes, numbers(build.dtype())); });
    ArgumentList in{self, partner_of(build, op, partner, shapes)};
    if (op.scaled && (partner == Partner::list || partner == Partner::tensor)) {
      in.push_back(multiplier(build));
    }
    call_and_return_lists(build, form, std::move(in), out);
  };
}

Recipe norm_list(Form form) {
  return [=](DraftBuilder& build) {
    const Shapes shapes = draw_shapes(build);
    const auto stale = [&](const Sizes&) { return build.written(build.dtype(), {}, markers(build.dtype())); };
    const Argument out = form == Form::out ? for_each_shape(shapes, stale) : none();
    const auto drawn = [&](const Sizes& sizes) { return build.input(sizes, terms(build.dtype(), element_count(sizes))); };
    const Argument self = for_each_shape(shapes, drawn);
    const double ord = build.pick().one_of({2.0, 1.0, std::numeric_limits<double>::infinity()});
    const bool some_empty = std::ranges::any_of(shapes, [](const Sizes& sizes) { return element_count(sizes) == 0; });
    call_and_return_lists(build, form, arguments(self, some_empty ? 2.0 : ord, none()), out);  // the largest of no numbers does not exist
  };
}

// The CPU's kernel reads memory in order, whatever the strides.
Recipe adam_step(bool lr_is_tensor) {
  return [=](DraftBuilder& build) {
    Picker& pick = build.pick();
    const Shapes shapes = draw_shapes(build);
    const auto state = [&](double low, double high) {
      return for_each_shape(shapes, [&](const Sizes& sizes) {
        return made_contiguous(build, build.written(build.dtype(), sizes, {between(low, high), fill_of(FillKind::normal), constant(0.0)}));
      });
    };
    const auto squares = [&] {
      return for_each_shape(shapes, [&](const Sizes& sizes) {
        return made_contiguous(build, build.written(build.dtype(), sizes, {between(0.0, 2.0), constant(0.0)}));
      });
    };
    const auto single = [&](const Fills& fills) { return contiguous_input(build, Dtype::float32, {}, fills); };
    const bool amsgrad = pick.chance(40), maximize = pick.chance(30);
    const Argument self = state(-2, 2), grads = state(-1, 1), averages = state(-1, 1), squared = squares();
    const Argument largest = amsgrad ? squares() : Argument{ArgumentList{}};
    const Argument steps = for_each_shape(shapes, [&](const Sizes&) {
      return single({constant(1.0), constant(2.0), constant(static_cast<double>(pick.between(3, 1000)))});
    });
    const Argument lr = lr_is_tensor ? argument(single({constant(0.125), between(0.0001, 0.1)})) : argument(pick.one_of({0.001, 0.125}));
    const Argument scale = pick.chance(30) ? argument(single({constant(2.0), between(0.5, 1024.0)})) : none();
    const Argument found = pick.chance(30) ? argument(single({constant(0.0), constant(1.0)})) : none();
    build.call({self, grads, averages, squared, largest, steps, lr, argument(pick.one_of({0.9, 0.5})), argument(pick.one_of({0.999, 0.5})),
                argument(pick.one_of({0.0, 0.01})), argument(1e-8), argument(amsgrad), argument(maximize), scale, found});
    for (const Argument& written : {self, grads, averages, squared, largest}) {
      for (const Argument& tensor : std::get<ArgumentList>(written.value)) build.returns(std::get<ValueRef>(tensor.value));
    }
  };
}

}  // namespace neuroncheck::generators
