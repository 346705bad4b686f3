// Operators by the names that programs use ("aten::add.Tensor"; the overload "default" may be written or left off), and what schemas say of them.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include <string>

namespace neuroncheck {

// Throws std::logic_error when this torch has no such operator.
c10::OperatorHandle find_operator(const std::string& op);

bool returns_view(const c10::FunctionSchema& schema);

// Device, or Device?: never written in a program.
bool is_device(const c10::Type& type);

}  // namespace neuroncheck
