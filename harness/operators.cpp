#include "harness/operators.h"

#include <algorithm>
#include <stdexcept>

namespace neuroncheck {

c10::OperatorHandle find_operator(const std::string& op) {
  const auto dot = op.rfind('.');
  const std::string overload = dot == std::string::npos ? "" : op.substr(dot + 1);
  const auto found = c10::Dispatcher::singleton().findSchema({op.substr(0, dot), overload == "default" ? "" : overload});
  if (!found) throw std::logic_error("no operator '" + op + "' in torch " NEURONCHECK_TORCH_VERSION);
  return *found;
}

bool returns_view(const c10::FunctionSchema& schema) {
  return std::any_of(schema.returns().begin(), schema.returns().end(),
                     [](const c10::Argument& value) { return value.alias_info() != nullptr && !value.alias_info()->isWrite(); });
}

bool is_device(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::OptionalType) return is_device(*type.containedType(0));
  return type.kind() == c10::TypeKind::DeviceObjType;
}

}  // namespace neuroncheck
