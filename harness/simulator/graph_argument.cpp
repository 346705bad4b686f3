#include "harness/simulator/graph_argument.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/ScalarType.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace neuroncheck::simulator {
namespace {

double decode_float(const nlohmann::json& json) {
  return json.is_object() ? std::strtod(json.at("float").get<std::string>().c_str(), nullptr) : json.get<double>();
}

at::Scalar decode_scalar(const nlohmann::json& json) {
  if (json.is_boolean()) return {json.get<bool>()};
  if (json.is_number_integer()) return {json.get<std::int64_t>()};
  return {decode_float(json)};
}

// A Python number where the op takes a tensor.
c10::IValue decode_number_as_tensor(const nlohmann::json& json) {
  const at::Scalar scalar = decode_scalar(json);
  at::Tensor tensor = at::scalar_tensor(scalar, scalar.type());
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

template <class T, class Decode>
c10::IValue decode_list(const nlohmann::json& json, std::size_t size, Decode decode) {
  c10::List<T> list;
  if (json.is_array()) {
    for (const auto& one : json) list.push_back(decode(one));
  } else {
    for (std::size_t i = 0; i < std::max<std::size_t>(size, 1); ++i) list.push_back(decode(json));
  }
  return list;
}

c10::IValue decode_constant(const nlohmann::json& json, const c10::TypePtr& type);

c10::IValue decode_constant_list(const nlohmann::json& json, const c10::TypePtr& element) {
  switch (element->kind()) {
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return decode_list<std::int64_t>(json, 1, [](const auto& one) { return one.template get<std::int64_t>(); });
    case c10::TypeKind::FloatType:
      return decode_list<double>(json, 1, &decode_float);
    case c10::TypeKind::BoolType:
      return decode_list<bool>(json, 1, [](const auto& one) { return one.template get<bool>(); });
    case c10::TypeKind::NumberType:
      return decode_list<at::Scalar>(json, 1, &decode_scalar);
    default:
      TORCH_CHECK(false, "neuron: no list of ", element->str(), " in a compiled graph");
  }
}

c10::IValue decode_object(const nlohmann::json& json) {
  if (json.contains("dtype")) return static_cast<std::int64_t>(c10::getStringToDtypeMap().at(json.at("dtype").get<std::string>()));
  if (json.contains("device")) return at::Device(json.at("device").get<std::string>());
  if (json.contains("format")) return json.at("format").get<std::int64_t>();
  return decode_float(json);
}

c10::IValue decode_constant(const nlohmann::json& json, const c10::TypePtr& type) {
  if (json.is_null()) return {};
  if (type->kind() == c10::TypeKind::OptionalType) return decode_constant(json, type->containedType(0));
  if (type->kind() == c10::TypeKind::ListType) return decode_constant_list(json, type->containedType(0));
  if (type->kind() == c10::TypeKind::NumberType) return decode_scalar(json);
  if (type->kind() == c10::TypeKind::TensorType) return decode_number_as_tensor(json);
  if (type->kind() == c10::TypeKind::FloatType) return decode_float(json);
  if (json.is_object()) return decode_object(json);
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  return json.get<std::int64_t>();
}

bool is_tensor_list(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::OptionalType) return is_tensor_list(type->containedType(0));
  if (type->kind() != c10::TypeKind::ListType) return false;
  const c10::TypePtr element = type->containedType(0);
  return element->kind() == c10::TypeKind::TensorType ||
         (element->kind() == c10::TypeKind::OptionalType && element->containedType(0)->kind() == c10::TypeKind::TensorType);
}

bool holds_optionals(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::OptionalType) return holds_optionals(type->containedType(0));
  return type->containedType(0)->kind() == c10::TypeKind::OptionalType;
}

}  // namespace

c10::IValue GraphArgument::take(const std::vector<c10::IValue>& all) const {
  const auto value_at = [&](std::int64_t index) { return all.at(static_cast<std::size_t>(index)); };
  if (kind == Kind::constant) return constant;
  if (kind == Kind::value) return value_at(values.front());
  if (kind == Kind::tensors) {
    c10::List<at::Tensor> list;
    for (const std::int64_t index : values) list.push_back(value_at(index).toTensor());
    return list;
  }
  c10::List<std::optional<at::Tensor>> list;
  for (const std::int64_t index : values) list.push_back(index < 0 ? std::nullopt : std::optional(value_at(index).toTensor()));
  return list;
}

GraphArgument decode_argument(const nlohmann::json& json, const c10::TypePtr& type) {
  if (json.is_object() && json.contains("value")) return {.kind = GraphArgument::Kind::value, .values = {json.at("value").get<std::int64_t>()}};
  if (json.is_array() && is_tensor_list(type)) {
    GraphArgument argument{.kind = holds_optionals(type) ? GraphArgument::Kind::optional_tensors : GraphArgument::Kind::tensors};
    for (const auto& one : json) argument.values.push_back(one.is_null() ? -1 : one.at("value").get<std::int64_t>());
    return argument;
  }
  return {.constant = decode_constant(json, type)};
}

}  // namespace neuroncheck::simulator
