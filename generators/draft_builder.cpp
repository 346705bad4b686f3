#include "generators/draft_builder.h"

#include <algorithm>

#include "harness/plan.h"

namespace neuroncheck::generators {

DraftBuilder::DraftBuilder(std::string op, const DrawRequest& request, Gradients gradients, const rc::Random& random)
    : op_(std::move(op)),
      request_(request),
      takes_gradients_(gradients == Gradients::on_some_slots && is_floating(request.dtype) && takes_gradients(request.slot)),
      pick_(random),
      size_(size_of_slot(request.slot)) {
  if (takes_gradients_) {
    draft_.test_case.backward.emplace_back();
  }
}

Sizes DraftBuilder::sizes(int min_rank, int max_rank) {
  return draw_sizes(pick_, edge(), {.min_rank = min_rank, .max_rank = max_rank, .budget = budget()});
}

ValueRef DraftBuilder::input(const Sizes& sizes, Fills fills) { return input(dtype(), sizes, std::move(fills)); }

ValueRef DraftBuilder::input(Dtype dtype, const Sizes& sizes, Fills fills) {
  const ValueRef made = written(dtype, sizes, std::move(fills));
  TensorSpec& made_spec = spec(made);
  made_spec.layout = draw_layout(pick_, sizes, Use::read);
  if (takes_gradients_ && is_floating(dtype)) {
    made_spec.requires_grad = true;
    // The chain rule multiplies infinities by zeros at points that depend on the width of the format: no answer is wrong there.
    draft_.fills.back() = without_special(std::move(draft_.fills.back()));
  }
  return made;
}

ValueRef DraftBuilder::written(Dtype dtype, const Sizes& sizes, Fills fills) {
  std::vector<TensorSpec>& inputs = draft_.test_case.program.inputs;
  const LayoutKind layout = draw_layout(pick_, sizes, Use::written);
  inputs.push_back({.dtype = dtype, .sizes = dims_of(sizes), .layout = layout, .strides = {}, .fill = {}});
  draft_.fills.push_back(std::move(fills));
  return {.node = -1, .index = static_cast<int>(inputs.size()) - 1};
}

ValueRef DraftBuilder::symbolic(std::vector<Dim> sizes, Fills fills) {
  const ValueRef made = input(Sizes{}, std::move(fills));
  spec(made).sizes = std::move(sizes);
  spec(made).layout = LayoutKind::contiguous;
  return made;
}

ValueRef DraftBuilder::call(ArgumentList arguments) { return call(op_, std::move(arguments)); }

ValueRef DraftBuilder::call(std::string_view op, ArgumentList arguments) {
  std::vector<Node>& nodes = draft_.test_case.program.nodes;
  nodes.push_back({std::string(op), std::move(arguments)});
  return {.node = static_cast<int>(nodes.size()) - 1, .index = 0};
}

void DraftBuilder::returns(ValueRef node, int count) {
  for (int i = 0; i < count; ++i) {
    draft_.test_case.program.outputs.push_back({.node = node.node, .index = node.index + i});
  }
}

SymbolRef DraftBuilder::symbol(const std::vector<std::int64_t>& values) {
  draft_.test_case.program.symbols = 1;
  draft_.test_case.bindings.clear();
  for (const std::int64_t value : values) {
    draft_.test_case.bindings.push_back({.symbols = {value}});
  }
  return {.symbol = 0};
}

Draft DraftBuilder::take() { return std::move(draft_); }

Argument list(const Sizes& values) {
  ArgumentList items;
  items.reserve(values.size());
  for (const std::int64_t value : values) {
    items.push_back(argument(value));
  }
  return {std::move(items)};
}

ArgumentList one_of(DraftBuilder& build, const std::vector<ArgumentList>& lists) {
  if (lists.empty()) return {};
  return build.pick().one_of(lists);
}

Argument choose(DraftBuilder& build, std::initializer_list<double> floating, std::initializer_list<std::int64_t> integral) {
  if (is_floating(build.dtype())) {
    return {build.pick().one_of(floating)};
  }
  return {build.pick().one_of(integral)};
}

// Powers of two and small integers: bfloat16 and float16 hold them, whatever a device converts the scalar to first.
Argument scalar(DraftBuilder& build) {
  if (build.dtype() == Dtype::bool_) {
    return {build.pick().chance(50)};
  }
  return choose(build, {0.5, -1.25, 2.0, 3.0, -7.0, 0.0, 1.0, 0.015625}, {0, 1, 2, 3, 7, 100});
}

std::int64_t dimension(DraftBuilder& build, std::size_t rank) {
  const auto count = std::max<std::int64_t>(static_cast<std::int64_t>(rank), 1);
  return build.pick().between(-count, count - 1);
}

}  // namespace neuroncheck::generators
