// A function of a Python module, called with the arguments of an operator. Python must run (PythonHost); its lock is held inside calls only.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <string>
#include <vector>

namespace neuroncheck {

using TensorFunction = std::function<std::vector<at::Tensor>(const std::vector<c10::IValue>&)>;

// "module.function"; the module is imported. The function returns a tensor, an array or number that torch.as_tensor takes, or a tuple of them. Throws
// UserError that names the function: it cannot be imported, or (from a call) it raises or returns something else.
TensorFunction python_function(const std::string& name);

}  // namespace neuroncheck
