#include "harness/program_runner.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "harness/operators.h"

namespace neuroncheck {
namespace {

// What the arguments of a call may refer to.
struct Scope {
  std::span<const at::Tensor> inputs;
  const std::vector<std::vector<at::Tensor>>& values;
  const SymbolValues& symbols;
  const at::Device& device;
};

const at::Tensor& look_up(const Scope& scope, const ValueRef& ref) {
  if (ref.node < 0) return scope.inputs[static_cast<std::size_t>(ref.index)];
  return scope.values.at(static_cast<std::size_t>(ref.node)).at(static_cast<std::size_t>(ref.index));
}

[[noreturn]] void refuse(const c10::Argument& parameter) {
  // The class that Python's argument parser would have raised.
  C10_THROW_ERROR(TypeError, fmt::format("argument '{}' must be {}", parameter.name(), parameter.type()->str()));
}

std::int64_t memory_format_number(const std::string& text, const c10::Argument& parameter) {
  if (text == "torch.contiguous_format") return static_cast<std::int64_t>(at::MemoryFormat::Contiguous);
  if (text == "torch.channels_last") return static_cast<std::int64_t>(at::MemoryFormat::ChannelsLast);
  if (text == "torch.channels_last_3d") return static_cast<std::int64_t>(at::MemoryFormat::ChannelsLast3d);
  if (text == "torch.preserve_format") return static_cast<std::int64_t>(at::MemoryFormat::Preserve);
  if (text == "torch.strided") return static_cast<std::int64_t>(at::Layout::Strided);
  refuse(parameter);
}

std::int64_t to_int(const Argument& argument, const Scope& scope, const c10::Argument& parameter) {
  if (const auto* number = std::get_if<std::int64_t>(&argument.value)) return *number;
  if (const auto* flag = std::get_if<bool>(&argument.value)) return *flag ? 1 : 0;
  if (const auto* ref = std::get_if<SymbolRef>(&argument.value)) return scope.symbols.at(static_cast<std::size_t>(ref->symbol));
  if (const auto* dtype = std::get_if<Dtype>(&argument.value)) return static_cast<std::int64_t>(scalar_type(*dtype));
  if (const auto* text = std::get_if<std::string>(&argument.value)) return memory_format_number(*text, parameter);
  refuse(parameter);
}

double to_double(const Argument& argument, const Scope& scope, const c10::Argument& parameter) {
  if (const auto* number = std::get_if<double>(&argument.value)) return *number;
  return static_cast<double>(to_int(argument, scope, parameter));
}

bool to_bool(const Argument& argument, const c10::Argument& parameter) {
  if (const auto* flag = std::get_if<bool>(&argument.value)) return *flag;
  refuse(parameter);
}

at::Scalar to_scalar(const Argument& argument, const Scope& scope, const c10::Argument& parameter) {
  if (const auto* flag = std::get_if<bool>(&argument.value)) return *flag;
  if (const auto* number = std::get_if<double>(&argument.value)) return *number;
  return to_int(argument, scope, parameter);
}

// As torch marks a number that it made a tensor of.
at::Tensor tensor_of_number(const at::Scalar& number) {
  at::Tensor made = at::scalar_tensor(number, at::TensorOptions(number.type()));
  made.unsafeGetTensorImpl()->set_wrapped_number(true);
  return made;
}

// A number in a tensor's place is what Python makes of `x + 2`: on the CPU, and weak in type promotion.
at::Tensor to_tensor(const Argument& argument, const Scope& scope, const c10::Argument& parameter) {
  if (const auto* ref = std::get_if<ValueRef>(&argument.value)) return look_up(scope, *ref);
  if (std::holds_alternative<None>(argument.value) || std::holds_alternative<std::string>(argument.value)) refuse(parameter);
  if (std::holds_alternative<ArgumentList>(argument.value) || std::holds_alternative<Dtype>(argument.value)) refuse(parameter);
  return tensor_of_number(to_scalar(argument, scope, parameter));
}

// A single number stands for `int[2]` as in Python: as many as the schema asks for.
ArgumentList elements_of(const Argument& argument, const c10::Argument& parameter) {
  if (const auto* list = std::get_if<ArgumentList>(&argument.value)) return *list;
  return ArgumentList(static_cast<std::size_t>(parameter.N().value_or(1)), argument);
}

template <typename Element, typename Convert>
c10::List<Element> to_list(const Argument& argument, const c10::Argument& parameter, Convert convert) {
  c10::List<Element> list;
  for (const Argument& element : elements_of(argument, parameter)) list.push_back(convert(element));
  return list;
}

c10::IValue to_optional_tensors(const Argument& argument, const Scope& scope, const c10::Argument& parameter) {
  return to_list<std::optional<at::Tensor>>(argument, parameter, [&](const Argument& element) -> std::optional<at::Tensor> {
    if (std::holds_alternative<None>(element.value)) return std::nullopt;
    return to_tensor(element, scope, parameter);
  });
}

c10::IValue to_list_value(const Argument& argument, const c10::Type& type, const Scope& scope, const c10::Argument& parameter) {
  switch (type.containedType(0)->kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return to_list<std::int64_t>(argument, parameter, [&](const Argument& element) { return to_int(element, scope, parameter); });
    case c10::TypeKind::FloatType:
      return to_list<double>(argument, parameter, [&](const Argument& element) { return to_double(element, scope, parameter); });
    case c10::TypeKind::BoolType:
      return to_list<bool>(argument, parameter, [&](const Argument& element) { return to_bool(element, parameter); });
    case c10::TypeKind::TensorType:
      return to_list<at::Tensor>(argument, parameter, [&](const Argument& element) { return to_tensor(element, scope, parameter); });
    case c10::TypeKind::NumberType: {
      c10::impl::GenericList list(c10::NumberType::get());
      for (const Argument& element : elements_of(argument, parameter)) list.push_back(c10::IValue(to_scalar(element, scope, parameter)));
      return list;
    }
    case c10::TypeKind::OptionalType:
      return to_optional_tensors(argument, scope, parameter);
    default:
      refuse(parameter);
  }
}

c10::IValue to_value(const Argument& argument, const c10::Type& type, const Scope& scope, const c10::Argument& parameter) {
  switch (type.kind()) {
    case c10::TypeKind::OptionalType:
      if (std::holds_alternative<None>(argument.value)) return {};
      return to_value(argument, *type.containedType(0), scope, parameter);
    case c10::TypeKind::ListType:
      return to_list_value(argument, type, scope, parameter);
    case c10::TypeKind::TensorType:
      return to_tensor(argument, scope, parameter);
    case c10::TypeKind::NumberType:
      return to_scalar(argument, scope, parameter);
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return to_int(argument, scope, parameter);
    case c10::TypeKind::FloatType:
      return to_double(argument, scope, parameter);
    case c10::TypeKind::BoolType:
    case c10::TypeKind::SymBoolType:
      return to_bool(argument, parameter);
    case c10::TypeKind::StringType:
      if (const auto* text = std::get_if<std::string>(&argument.value)) return *text;
      refuse(parameter);
    default:
      refuse(parameter);
  }
}

c10::IValue parameter_value(const Node& node, std::size_t i, const c10::Argument& parameter, const Scope& scope) {
  if (is_device(*parameter.type())) return scope.device;
  if (i < node.arguments.size()) return to_value(node.arguments[i], *parameter.type(), scope, parameter);
  if (parameter.default_value()) return *parameter.default_value();
  if (parameter.type()->kind() == c10::TypeKind::OptionalType) return {};
  C10_THROW_ERROR(TypeError, fmt::format("{}() missing required argument '{}'", node.op, parameter.name()));
}

// A std::logic_error of torch's own is the subject's doing; ours stay what they are.
void call_subject(const c10::OperatorHandle& op, c10::Stack& stack) {
  try {
    op.callBoxed(stack);
  } catch (const std::logic_error& error) {
    throw std::runtime_error(error.what());
  }
}

// Numbers that an op returns become 0-dim tensors on the CPU, so that every output is a tensor.
void append_output(const c10::IValue& value, std::vector<at::Tensor>& outputs) {
  if (value.isTensor()) {
    outputs.push_back(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) outputs.push_back(tensor);
  } else if (value.isScalar()) {
    outputs.push_back(tensor_of_number(value.toScalar()));
  } else if (value.isNone()) {
    outputs.emplace_back();
  } else {
    throw std::logic_error("an output of type " + value.tagKind() + " is not a tensor");
  }
}

}  // namespace

std::vector<at::Tensor> call_node(const Node& node, std::span<const at::Tensor> inputs, const std::vector<std::vector<at::Tensor>>& values,
                                  const SymbolValues& symbols, const at::Device& device) {
  const Scope scope{inputs, values, symbols, device};
  const c10::OperatorHandle op = find_operator(node.op);
  const auto& parameters = op.schema().arguments();
  if (node.arguments.size() > parameters.size())
    C10_THROW_ERROR(TypeError, fmt::format("{}() takes {} arguments but {} were given", node.op, parameters.size(), node.arguments.size()));
  c10::Stack stack;
  stack.reserve(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) stack.push_back(parameter_value(node, i, parameters[i], scope));
  call_subject(op, stack);
  std::vector<at::Tensor> outputs;
  for (const c10::IValue& value : stack) append_output(value, outputs);
  return outputs;
}

std::vector<at::Tensor> run_program(const Program& program, std::span<const at::Tensor> inputs, const SymbolValues& symbols,
                                    const at::Device& device) {
  std::vector<std::vector<at::Tensor>> values;
  values.reserve(program.nodes.size());
  for (const Node& node : program.nodes) values.push_back(call_node(node, inputs, values, symbols, device));
  std::vector<at::Tensor> outputs;
  outputs.reserve(program.outputs.size());
  for (const ValueRef& ref : program.outputs) outputs.push_back(look_up({inputs, values, symbols, device}, ref));
  return outputs;
}

std::vector<std::size_t> differentiable_outputs(std::span<const at::Tensor> outputs) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].defined() && outputs[i].is_floating_point() && outputs[i].requires_grad()) chosen.push_back(i);
  }
  return chosen;
}

}  // namespace neuroncheck
