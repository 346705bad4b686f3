#include "harness/device_session.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "harness/eager_run.h"
#include "harness/stopwatch.h"
#include "harness/subject_error.h"

namespace neuroncheck {

DeviceSession::DeviceSession(Target target, PythonPlace place) : target_(std::move(target)), place_(std::move(place)) {}

// Importing may register further kernels: the interposer must wrap those too, so it is made anew when it is next needed.
void DeviceSession::start_python() {
  if (python_) return;
  compile_.reset();
  observer_.reset();
  interposer_.reset();
  auto python = std::make_unique<PythonHost>(place_.executable);
  python->import_target(place_.package_folder, target_.imports);
  if (!target_.compile_backend.empty()) python->require_backend(target_.compile_backend);
  python_ = std::move(python);
}

// A compiled path needs Python, and a backward pass may come before the first compiled one in the same process. What goes wrong shows when it is
// used.
void DeviceSession::prepare(std::span<const Path> paths) {
  const bool needed = std::any_of(paths.begin(), paths.end(), [](Path path) { return is_compiled(path) || is_backward(path); });
  if (!needed || target_.compile_backend.empty()) return;
  try {
    start_python();
  } catch (const PythonRaised&) {
    return;
  }
}

const Observer& DeviceSession::observer() {
  if (observer_) return *observer_;
  if (target_.evidence == "privateuse1") interposer_ = std::make_unique<Interposer>();
  const std::string tracker = python_ ? target_.tracker_module : "";
  observer_ = std::make_unique<Observer>(Observer{at::Device(target_.device), tracker, interposer_.get(), python_.get()});
  return *observer_;
}

Observation DeviceSession::run(const Case& test_case, Path path) {
  return is_compiled(path) ? run_all(std::span(&test_case, 1), path, 1).front() : run_eager(test_case, path);
}

std::vector<Observation> DeviceSession::run_all(std::span<const Case> cases, Path path, int batch) {
  if (is_compiled(path)) return run_compiled(cases, path, batch);
  std::vector<Observation> seen;
  seen.reserve(cases.size());
  for (const Case& test_case : cases) seen.push_back(run_eager(test_case, path));
  return seen;
}

std::vector<Observation> DeviceSession::run_compiled(std::span<const Case> cases, Path path, int batch) {
  try {
    start_python();
  } catch (const PythonRaised& error) {  // every case meets it, and none dies of it
    Observation seen;
    seen.outcome = error.raised;
    return std::vector<Observation>(cases.size(), seen);
  }
  if (!compile_) compile_ = std::make_unique<CompileSession>(target_, *python_, observer());
  return compile_->run_all(cases, path, batch);
}

Observation DeviceSession::run_eager(const Case& test_case, Path path) {
  const Observer& watcher = observer();
  Observation seen;
  Returned returned;
  Findings findings;
  for (std::size_t step = 0; step < test_case.bindings.size(); ++step) {
    const StepOf of{test_case, path, step, watcher.device};
    bool open = false;
    try {
      const std::vector<at::Tensor> inputs = make_inputs(of);
      watcher.start();
      open = true;
      const Stopwatch watch;
      const double cpu_start_us = cpu_microseconds();
      const std::vector<at::Tensor> outputs = run_step(of, inputs);
      watcher.finish();
      seen.run_us += watch.microseconds();
      seen.cpu_us += cpu_microseconds() - cpu_start_us;
      open = false;
      merge(findings, watcher.stop());
      returned.steps.push_back(read_step(of, outputs, inputs));
    } catch (const std::exception&) {
      Raised raised = raised_from(std::current_exception());
      if (open) merge(findings, watcher.stop());
      raised.step = step;
      seen.outcome = std::move(raised);
      seen.evidence = evidence_for(test_case, seen, findings);
      return seen;
    }
  }
  seen.outcome = std::move(returned);
  seen.evidence = evidence_for(test_case, seen, findings);
  return seen;
}

PlacementEvidence DeviceSession::evidence_for(const Case& test_case, const Observation& seen, Findings findings) const {
  if (target_.evidence == "host") return conclude_host(Path::eager, {});
  if (std::holds_alternative<Returned>(seen.outcome)) findings.unregistered = interposer_->unregistered_ops(test_case.program);
  return conclude_eager(findings);
}

Raised DeviceSession::raised_from(const std::exception_ptr& exception) {
  return python_ ? python_->raised_from(exception) : neuroncheck::raised_from(exception);
}

std::map<std::string, std::string> DeviceSession::versions() const {
  std::map<std::string, std::string> all = {{"torch", NEURONCHECK_TORCH_VERSION}, {"target", target_.name}};
  if (python_) {
    all["python"] = python_->python_version();
    if (!target_.distribution.empty()) all[target_.distribution] = python_->distribution_version(target_.distribution);
    for (const std::string& name : target_.companions) all[name] = python_->distribution_version(name);
  }
  for (const auto& [name, value] : target_.environment) {
    if (is_each_workers_own(value)) continue;
    const char* now = std::getenv(name.c_str());  // read back: what the process really has
    all["env " + name] = now != nullptr ? now : "(unset)";
  }
  return all;
}

}  // namespace neuroncheck
