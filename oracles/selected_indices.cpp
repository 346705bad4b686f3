#include "oracles/selected_indices.h"

#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>

#include <map>

#include "oracles/bounded_tensor.h"
#include "oracles/profile.h"

namespace neuroncheck::oracles {
namespace {

// torch documents the first of equal maxima for argmax and max(dim), ascending indices for stable sorts, and nothing else.
struct SelectingOp {
  int index_output = 1;
  int dim_argument = 1;  // none: flat positions of the last two (-1) or three (-3) dimensions
  std::int64_t default_dim = -1;
  TieRule ties = TieRule::any;
  bool running = false;
  bool flat_without_dim = false;  // without a dim it selects from the flattened tensor
  int stable_argument = -1;       // where it says that it is stable
};

const SelectingOp* selecting_op(const Node& node) {
  static const std::map<std::string, SelectingOp> kOps = {
      {"aten::argmax", {0, 1, -1, TieRule::first, false, true}},
      {"aten::argmin", {0, 1, -1, TieRule::first, false, true}},
      {"aten::max", {1, 1, -1, TieRule::first}},
      {"aten::min", {1, 1, -1, TieRule::first}},
      {"aten::sort", {1, 1, -1, TieRule::any}},
      {"aten::sort.stable", {1, 2, -1, TieRule::any, false, false, 1}},
      {"aten::sort.values_stable", {1, 2, -1, TieRule::any, false, false, 1}},
      {"aten::argsort.stable", {0, 2, -1, TieRule::any, false, false, 1}},
      {"aten::topk", {1, 2, -1, TieRule::any}},
      {"aten::kthvalue", {1, 2, -1, TieRule::any}},
      {"aten::median.dim", {1, 1, -1, TieRule::any}},
      {"aten::nanmedian.dim", {1, 1, -1, TieRule::any}},
      {"aten::mode", {1, 1, -1, TieRule::any}},
      {"aten::cummax", {1, 1, -1, TieRule::any, true}},
      {"aten::cummin", {1, 1, -1, TieRule::any, true}},
      {"aten::max_pool2d_with_indices", {1, -1, -1, TieRule::any}},
      {"aten::max_pool3d_with_indices", {1, -3, -1, TieRule::any}},
      {"aten::adaptive_max_pool2d", {1, -1, -1, TieRule::any}},
      {"aten::adaptive_max_pool3d", {1, -3, -1, TieRule::any}},
      {"aten::fractional_max_pool2d", {1, -1, -1, TieRule::any}},
      {"aten::fractional_max_pool3d", {1, -3, -1, TieRule::any}},
  };
  auto found = kOps.find(node.op);
  if (found == kOps.end()) found = kOps.find(base_op(node.op));
  return found == kOps.end() ? nullptr : &found->second;
}

const Argument* argument_of(const Node& node, int position) {
  return position >= 0 && position < static_cast<int>(node.arguments.size()) ? &node.arguments[static_cast<std::size_t>(position)] : nullptr;
}

std::optional<std::int64_t> dim_of(const Node& node, const SelectingOp& op) {
  const Argument* argument = argument_of(node, op.dim_argument);
  const bool flat = op.flat_without_dim;
  if (argument == nullptr) return flat ? std::nullopt : std::optional(op.default_dim);
  if (const auto* dim = std::get_if<std::int64_t>(&argument->value)) return *dim;
  return flat ? std::nullopt : std::optional(op.default_dim);
}

bool is_stable(const Node& node, const SelectingOp& op) {
  const Argument* flag = argument_of(node, op.stable_argument);
  return flag != nullptr && std::holds_alternative<bool>(flag->value) && std::get<bool>(flag->value);
}

template <typename T>
std::vector<long double> numbers_of(const at::Tensor& tensor, at::ScalarType dtype) {
  const at::Tensor flat = tensor.to(dtype).contiguous();
  return {flat.const_data_ptr<T>(), flat.const_data_ptr<T>() + flat.numel()};
}

std::vector<long double> numbers(const at::Tensor& tensor) {
  const at::Tensor value = unwrap(tensor).value;
  return value.is_floating_point() ? numbers_of<double>(value, at::kDouble) : numbers_of<std::int64_t>(value, at::kLong);
}

}  // namespace

bool is_selecting(const Node& node) { return selecting_op(node) != nullptr; }

std::optional<Selection> selection_of(const Node& node, int output, const at::Tensor& self, const std::vector<at::Tensor>& outputs) {
  const SelectingOp* op = selecting_op(node);
  if (op == nullptr || op->index_output != output) return std::nullopt;
  if (output >= static_cast<int>(outputs.size())) return std::nullopt;
  const at::Tensor index = unwrap(outputs[static_cast<std::size_t>(output)]).value;
  Selection selection;
  selection.source = numbers(self);
  selection.source_sizes = self.sizes().vec();
  selection.running = op->running;
  selection.ties = is_stable(node, *op) ? TieRule::ascending : op->ties;
  if (op->dim_argument < 0) {
    selection.dim = op->dim_argument;
  } else if (const auto dim = dim_of(node, *op)) {
    selection.dim = at::maybe_wrap_dim(*dim, self.dim());
  } else {
    selection.dim = 0;
    selection.source_sizes = {self.numel()};
  }
  if (self.dim() == 0) selection.source_sizes = {1};
  if (op->index_output == 1) {
    selection.selected = numbers(outputs[0]);
    return selection;
  }
  const at::Tensor value = unwrap(self).value, flat = dim_of(node, *op) ? value : value.reshape({-1});
  const at::Tensor source = flat.dim() == 0 ? flat.reshape({1}) : flat;
  const bool keeps = index.dim() == source.dim();
  const at::Tensor at_index = keeps ? index : index.reshape(value.dim() == 0 ? at::IntArrayRef({1}) : index.sizes()).unsqueeze(selection.dim);
  const bool collapsed = !dim_of(node, *op) || value.dim() == 0;
  selection.selected = collapsed ? numbers(source.gather(0, index.reshape({-1}))) : numbers(source.gather(selection.dim, at_index));
  return selection;
}

}  // namespace neuroncheck::oracles
