// From a target's description to a session that has touched the device once. Part of the worker's start, so it may read the environment.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "harness/device_session.h"
#include "harness/session.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

[[noreturn]] void not_testable(const Target& target, const std::string& why) {
  const std::string remedy = target.install.empty() ? "" : "\nto install what is missing: " + target.install;
  throw NotTestable(fmt::format("target '{}' cannot be tested here: {}{}", target.name, why, remedy));
}

// One thread: sums then do not depend on the machine's cores.
void use_one_thread() {
  at::set_num_threads(1);
  if (at::get_num_interop_threads() != 1) at::set_num_interop_threads(1);
}

std::string python_executable() {
  const char* given = std::getenv("NEURONCHECK_PYTHON");
  return given != nullptr ? given : NEURONCHECK_PYTHON;
}

std::string absolute_in(const std::string& build, const std::string& path) {
  return path.empty() ? "" : std::filesystem::absolute(std::filesystem::path(build) / path).string();
}

void load_library(const Target& target, const std::string& build) {
  if (target.library.empty()) return;
  const std::string file = absolute_in(build, target.library);
  if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) not_testable(target, dlerror());
}

// Simulated devices read NEURON_SIM_FAULT ("name" or "name:severity") when they are loaded, and refuse names they do not know.
void choose_fault(const Target& target, const std::string& fault) {
  if (fault.empty()) return;
  if (!target.simulated)
    throw UserError(fmt::format("--fault {}: target '{}' is not simulated: faults are only for simulated targets", fault, target.name));
  setenv("NEURON_SIM_FAULT", fault.c_str(), 1);
}

// Two processes that start a device within milliseconds can both fail (facts/torchneuron.md section 3): they do it one after the other.
class StartingAlone {
 public:
  explicit StartingAlone(const Target& target) {
    if (target.evidence != "privateuse1") return;
    const std::string file = std::filesystem::temp_directory_path() / fmt::format("neuroncheck-start-{}-{}.lock", target.device, ::getuid());
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
  }
  ~StartingAlone() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  StartingAlone(const StartingAlone&) = delete;
  StartingAlone& operator=(const StartingAlone&) = delete;

 private:
  int descriptor_ = -1;
};

void touch_device(const Target& target) {
  try {
    const at::Tensor probe = at::ones({2}).to(at::Device(target.device));  // a copy: needs no kernel of the device's
    if (probe.cpu().numel() != 2) not_testable(target, "the device answers nothing");
  } catch (const c10::Error& error) {
    not_testable(target, fmt::format("device '{}' does not answer: {}", target.device, error.what_without_backtrace()));
  }
}

}  // namespace

std::unique_ptr<Session> open_session(const Target& target, const std::string& build, const std::string& fault) {
  use_one_thread();
  setenv("TORCH_DEVICE_BACKEND_AUTOLOAD", "0", 1);  // only what the target names is imported
  choose_fault(target, fault);
  const StartingAlone alone(target);
  load_library(target, build);
  auto session = std::make_unique<DeviceSession>(target, PythonPlace{python_executable(), absolute_in(build, target.package)});
  try {
    if (target.library.empty() && (!target.imports.empty() || !target.compile_backend.empty())) session->start_python();
  } catch (const PythonRaised& error) {
    not_testable(target, error.what());
  }
  touch_device(target);
  return session;
}

}  // namespace neuroncheck
