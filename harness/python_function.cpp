#include "harness/python_function.h"

#include <fmt/format.h>
#include <torch/csrc/jit/python/pybind_utils.h>

#include <memory>

#include "harness/user_error.h"

namespace neuroncheck {
namespace {

namespace py = pybind11;

// Lives as long as the interpreter does, which is as long as the process.
py::object* imported(const std::string& name) {
  const py::gil_scoped_acquire lock;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) throw UserError(fmt::format("function '{}': expected module.function", name));
  try {
    return new py::object(py::module_::import(name.substr(0, dot).c_str()).attr(name.substr(dot + 1).c_str()));
  } catch (const py::error_already_set& error) {
    throw UserError(fmt::format("function '{}': {}", name, error.what()));
  }
}

std::vector<at::Tensor> called(const py::object& function, const std::vector<c10::IValue>& arguments) {
  py::list list;
  for (const c10::IValue& argument : arguments) list.append(torch::jit::toPyObject(argument));
  const py::object results = function(*py::tuple(list));
  const py::object as_tensor = py::module_::import("torch").attr("as_tensor");
  std::vector<at::Tensor> tensors;
  const bool several = py::isinstance<py::tuple>(results) || py::isinstance<py::list>(results);
  for (const py::handle& result : several ? results : py::object(py::make_tuple(results))) {
    tensors.push_back(py::cast<at::Tensor>(as_tensor(result)));
  }
  return tensors;
}

}  // namespace

TensorFunction python_function(const std::string& name) {
  return [name, function = imported(name)](const std::vector<c10::IValue>& arguments) {
    const py::gil_scoped_acquire lock;
    try {
      return called(*function, arguments);
    } catch (const py::error_already_set& error) {
      throw UserError(fmt::format("function '{}': {}", name, error.what()));
    }
  };
}

}  // namespace neuroncheck
