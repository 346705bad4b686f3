#include "harness/hazards.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/shrink_tensor.h"

namespace neuroncheck {
namespace {

std::int64_t number_in(const Node& node, std::size_t argument, std::size_t i, std::int64_t otherwise) {
  const auto* list = argument < node.arguments.size() ? std::get_if<ArgumentList>(&node.arguments[argument].value) : nullptr;
  if (list == nullptr || list->empty()) return otherwise;
  const auto* number = std::get_if<std::int64_t>(&(*list)[std::min(i, list->size() - 1)].value);
  return number == nullptr ? otherwise : *number;
}

// torch 2.13's CPU convolution writes the gradient of a channels_last kernel of one element outside of it where the stride is above 1.
bool has_one_element_kernel(const Case& test_case, const Node& node) {
  const std::size_t position = node.op == "aten::convolution_backward" ? 2 : 1;
  const auto* weight = node.arguments.size() <= position ? nullptr : std::get_if<ValueRef>(&node.arguments[position].value);
  if (weight == nullptr || weight->node >= 0) return false;
  const TensorSpec& spec = test_case.program.inputs.at(static_cast<std::size_t>(weight->index));
  const std::vector<std::int64_t> sizes = sizes_of(spec, test_case.bindings.at(0).symbols);
  return spec.layout == LayoutKind::channels_last && sizes.size() == 4 && sizes[2] == 1 && sizes[3] == 1;
}

// torch's max_pool kernels answer a window of which no element lies in the input with a position outside of it, to which the gradient then writes.
// It takes a padded window whose steps are longer than the input.
bool has_window_outside(const Case& test_case, const Node& node) {
  constexpr std::size_t kPadding = 3, kDilation = 4;
  const auto* self = node.arguments.empty() ? nullptr : std::get_if<ValueRef>(&node.arguments[0].value);
  if (self == nullptr || self->node >= 0) return false;
  for (std::size_t step = 0; step < test_case.bindings.size(); ++step) {
    const TensorSpec spec = input_at_step(test_case, static_cast<std::size_t>(self->index), step);
    const std::vector<std::int64_t> sizes = sizes_of(spec, test_case.bindings[step].symbols);
    for (std::size_t i = 0; i < std::min<std::size_t>(2, sizes.size()); ++i) {
      const std::int64_t size = sizes[sizes.size() - std::min<std::size_t>(2, sizes.size()) + i];
      if (number_in(node, kPadding, i, 0) > 0 && size < number_in(node, kDilation, i, 1)) return true;
    }
  }
  return false;
}

// The CPU's CTC loss takes labels as they are: one that is no class is read, and its gradient written, beside the table.
bool has_label_outside(const Case& test_case, const Node& node) {
  const std::size_t position = node.op.starts_with("aten::_ctc_loss_backward") ? 1 : 0;  // log_probs, then targets
  if (node.arguments.size() < position + 2) return false;
  const auto* log_probs = std::get_if<ValueRef>(&node.arguments[position].value);
  const auto* targets = std::get_if<ValueRef>(&node.arguments[position + 1].value);
  if (log_probs == nullptr || targets == nullptr || log_probs->node >= 0 || targets->node >= 0) return true;  // not to be seen from here
  const TensorSpec labels = as_literal(input_at_step(test_case, static_cast<std::size_t>(targets->index), 0));
  const TensorSpec table = input_at_step(test_case, static_cast<std::size_t>(log_probs->index), 0);
  if (table.sizes.size() < 2) return true;
  const auto classes = static_cast<std::uint64_t>(table.sizes.back().size);
  return std::ranges::any_of(labels.fill.bits, [&](std::uint64_t label) { return label >= classes; });
}

struct Hazard {
  std::string_view ops;  // how their names begin
  bool (*met)(const Case& test_case, const Node& node);
};

constexpr std::array kHazards{Hazard{"aten::convolution", has_one_element_kernel}, Hazard{"aten::max_pool", has_window_outside},
                              Hazard{"aten::_ctc_loss", has_label_outside}};

}  // namespace

bool is_harmless(const Case& test_case) {
  return std::ranges::none_of(test_case.program.nodes, [&](const Node& node) {
    return std::ranges::any_of(kHazards, [&](const Hazard& hazard) { return node.op.starts_with(hazard.ops) && hazard.met(test_case, node); });
  });
}

}  // namespace neuroncheck
