#include "harness/simulator/host_call.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/clone.h>

#include <algorithm>

namespace neuroncheck::simulator {

Values call_cpu(const c10::OperatorHandle& op, Values arguments) {
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  torch::jit::Stack stack(std::move(arguments));
  op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &stack);
  return stack;
}

Values copies_of_written(const c10::OperatorHandle& op, Values arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!is_written(op.schema().arguments()[i])) continue;
    transform_tensors(arguments[i], [](const at::Tensor& tensor) { return tensor.clone(); });
  }
  return arguments;
}

void transform_tensors(c10::IValue& value, const std::function<at::Tensor(const at::Tensor&)>& transform) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) value = transform(value.toTensor());
  } else if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(tensor.defined() ? transform(tensor) : tensor);
    value = list;
  } else if (value.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> list;
    for (const auto& tensor : value.toOptionalTensorVector()) {
      list.push_back(tensor && tensor->defined() ? std::optional(transform(*tensor)) : tensor);
    }
    value = list;
  }
}

void for_each_tensor(const c10::IValue& value, const std::function<void(const at::Tensor&)>& visit) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) visit(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) {
      if (tensor.defined()) visit(tensor);
    }
  } else if (value.isOptionalTensorList()) {
    for (const auto& tensor : value.toOptionalTensorVector()) {
      if (tensor && tensor->defined()) visit(*tensor);
    }
  }
}

std::string full_name(const c10::OperatorHandle& op) {
  const c10::OperatorName& name = op.operator_name();
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

std::string base_name(const c10::OperatorHandle& op) {
  std::string name = op.operator_name().name;
  name.erase(0, name.find("::") + 2);
  if (is_in_place(op)) name.pop_back();
  return name;
}

bool is_written(const c10::Argument& argument) { return argument.alias_info() != nullptr && argument.alias_info()->isWrite(); }

bool is_view(const c10::OperatorHandle& op) {
  const auto& returns = op.schema().returns();
  return std::any_of(returns.begin(), returns.end(),
                     [](const c10::Argument& result) { return result.alias_info() != nullptr && !result.alias_info()->isWrite(); });
}

bool is_in_place(const c10::OperatorHandle& op) {
  const auto& arguments = op.schema().arguments();
  return !arguments.empty() && op.operator_name().name.ends_with('_') && is_written(arguments.front());
}

bool draws_random_numbers(const c10::OperatorHandle& op) { return argument_index(op, "generator") >= 0; }

int argument_index(const c10::OperatorHandle& op, std::string_view name) {
  const auto& arguments = op.schema().arguments();
  const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const c10::Argument& argument) { return argument.name() == name; });
  return found == arguments.end() ? -1 : static_cast<int>(found - arguments.begin());
}

c10::IValue argument(const c10::OperatorHandle& op, const Values& arguments, std::string_view name) {
  const int index = argument_index(op, name);
  return index < 0 ? c10::IValue() : arguments.at(static_cast<std::size_t>(index));
}

}  // namespace neuroncheck::simulator
