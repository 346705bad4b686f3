#include "harness/python_host.h"

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

#include <pybind11/embed.h>
#include <pybind11/stl.h>

#include <stdexcept>
#include <utility>

#include "harness/python_host_module.h"
#include "harness/subject_error.h"

namespace neuroncheck {
namespace {

namespace py = pybind11;

void check(const PyStatus& status) {
  if (PyStatus_Exception(status))
    throw std::logic_error(std::string("Python does not start: ") + (status.err_msg ? status.err_msg : "no reason given"));
}

// Not from a plain configuration: program_name is what makes Python find the environment's packages. Signals stay ours. The lock is let go between
// our calls, so that autograd's threads and kernels written in Python can run.
void start_interpreter(const std::string& executable) {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  config.parse_argv = 0;
  check(PyConfig_SetBytesString(&config, &config.program_name, executable.c_str()));
  check(PyConfig_SetBytesString(&config, &config.executable, executable.c_str()));
  py::initialize_interpreter(&config, 0, nullptr, /*add_program_dir_to_path=*/false);
  PyEval_SaveThread();
}

py::list tensor_list(const std::vector<at::Tensor>& tensors) {
  py::list list;
  for (const at::Tensor& tensor : tensors) list.append(py::cast(tensor));
  return list;
}

std::vector<at::Tensor> tensors_from(const py::handle& list) {
  std::vector<at::Tensor> tensors;
  for (const py::handle& item : list) tensors.push_back(item.is_none() ? at::Tensor() : py::cast<at::Tensor>(item));
  return tensors;
}

}  // namespace

struct PythonHost::Parts {
  py::object glue, function;

  Raised describe(const py::handle& error) const {
    const auto [error_class, text, compiling] = py::cast<std::tuple<std::string, std::string, bool>>(glue.attr("describe")(error));
    return {error_class, shortened(text), compiling, 0};
  }

  // Runs `work` with the lock held; Python's exceptions come out as PythonRaised.
  template <typename Work>
  auto call(Work work) const {
    const py::gil_scoped_acquire lock;
    try {
      return work();
    } catch (const py::error_already_set& error) {
      throw PythonRaised(describe(error.value()));
    }
  }
};

PythonHost::PythonHost(const std::string& executable) : parts_(std::make_unique<Parts>()) {
  if (Py_IsInitialized() == 0) start_interpreter(executable);
  const py::gil_scoped_acquire lock;
  try {
    py::module_::import("torch");
    py::object module = py::module_::import("types").attr("ModuleType")("neuroncheck_host");
    py::exec(kPythonHostModule, module.attr("__dict__"));
    parts_->glue = std::move(module);
  } catch (const py::error_already_set& error) {
    throw std::runtime_error(std::string("Python (") + executable + ") cannot load torch: " + error.what());
  }
}

// Leaks what belongs to the interpreter, which lives until the process ends.
PythonHost::~PythonHost() {
  parts_->glue.release();
  parts_->function.release();
}

void PythonHost::import_target(const std::string& folder, const std::vector<std::string>& modules) {
  parts_->call([&] { parts_->glue.attr("import_target")(folder, modules); });
}

void PythonHost::require_backend(const std::string& name) {
  parts_->call([&] { parts_->glue.attr("require_backend")(name); });
}

std::string PythonHost::python_version() const { return PY_VERSION; }

std::string PythonHost::distribution_version(const std::string& distribution) const {
  return parts_->call([&] { return py::cast<std::string>(parts_->glue.attr("distribution_version")(distribution)); });
}

void PythonHost::clear_tracking(const std::string& module) {
  parts_->call([&] { parts_->glue.attr("clear_tracking")(module); });
}

TrackerReading PythonHost::read_tracking(const std::string& module) {
  using Lists = std::pair<std::vector<std::string>, std::vector<std::string>>;
  const Lists lists = parts_->call([&] { return py::cast<Lists>(parts_->glue.attr("read_tracking")(module)); });
  return {lists.first, lists.second};
}

void PythonHost::compile_batch(const std::string& name, const std::string& source, const CompileSettings& settings) {
  parts_->call([&] {
    py::dict options;
    options["backend"] = settings.backend;
    options["dynamic"] = settings.mode == "dynamic";
    parts_->function = parts_->glue.attr("compile_batch")(name, source, options);
  });
}

std::vector<std::vector<at::Tensor>> PythonHost::call_batch(const std::vector<at::Tensor>& tensors, const std::vector<std::int64_t>& numbers) {
  return parts_->call([&] {
    py::list arguments = tensor_list(tensors);
    for (const std::int64_t number : numbers) arguments.append(number);
    const py::object results = parts_->glue.attr("call_batch")(parts_->function, arguments);
    std::vector<std::vector<at::Tensor>> outputs;
    for (const py::handle& program : results) outputs.push_back(tensors_from(program));
    return outputs;
  });
}

std::vector<at::Tensor> PythonHost::gradients(const std::vector<at::Tensor>& roots, const std::vector<at::Tensor>& leaves,
                                              const std::vector<at::Tensor>& grad_outputs) {
  return parts_->call(
      [&] { return tensors_from(parts_->glue.attr("gradients")(tensor_list(roots), tensor_list(leaves), tensor_list(grad_outputs))); });
}

CompilerReading PythonHost::read_compiler() {
  using Numbers = std::tuple<int, int, std::string, double>;
  const auto [graphs, breaks, reason, microseconds] = parts_->call([&] { return py::cast<Numbers>(parts_->glue.attr("counters")()); });
  return {graphs, breaks, reason, microseconds};
}

Raised PythonHost::raised_from(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const PythonRaised& error) {
    return error.raised;
  } catch (python_error& error) {
    const py::gil_scoped_acquire lock;
    return parts_->describe(error.value);
  } catch (const py::error_already_set& error) {
    const py::gil_scoped_acquire lock;
    return parts_->describe(error.value());
  } catch (const std::exception&) {
    return neuroncheck::raised_from(exception);
  }
}

}  // namespace neuroncheck
