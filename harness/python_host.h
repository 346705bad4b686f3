// The embedded Python interpreter. pybind11 is known here and in python_function.cpp alone. Started by the first host of the process; never shut
// down, since workers leave by _exit. Its lock is held inside these calls only. What Python raises arrives as PythonRaised.
#pragma once

#include <ATen/core/Tensor.h>

#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/observation.h"
#include "harness/placement.h"

namespace neuroncheck {

struct PythonRaised : std::runtime_error {
  explicit PythonRaised(Raised what) : std::runtime_error(what.error_class + ": " + what.text), raised(std::move(what)) {}
  Raised raised;
};

struct CompileSettings {
  std::string backend;
  std::string mode = "static";  // static | dynamic: torch.compile(dynamic=...)
};

// What the compiler has counted since the last compile_batch().
struct CompilerReading {
  int graphs = 0;
  int graph_breaks = 0;
  std::string break_reason;
  double compile_us = 0.0;
};

class PythonHost {
 public:
  // `executable`: of the environment whose torch this is.
  explicit PythonHost(const std::string& executable);
  ~PythonHost();
  PythonHost(const PythonHost&) = delete;
  PythonHost& operator=(const PythonHost&) = delete;

  void import_target(const std::string& folder, const std::vector<std::string>& modules);
  void require_backend(const std::string& name);  // throws PythonRaised when torch.compile knows none of that name
  std::string python_version() const;
  std::string distribution_version(const std::string& distribution) const;  // empty: not installed

  void clear_tracking(const std::string& module);
  TrackerReading read_tracking(const std::string& module);

  // Takes the place of the function compiled before. `source` defines `batch(...)`, which returns a tuple of tuples.
  void compile_batch(const std::string& name, const std::string& source, const CompileSettings& settings);
  // Tensors first, then numbers.
  std::vector<std::vector<at::Tensor>> call_batch(const std::vector<at::Tensor>& tensors, const std::vector<std::int64_t>& numbers);
  std::vector<at::Tensor> gradients(const std::vector<at::Tensor>& roots, const std::vector<at::Tensor>& leaves,
                                    const std::vector<at::Tensor>& grad_outputs);
  CompilerReading read_compiler();

  // Also understands exceptions of kernels written in Python that C++ called.
  Raised raised_from(const std::exception_ptr& exception);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace neuroncheck
