#include "suites/campaign_setup.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <vector>

#include "harness/user_error.h"
#include "suites/installation.h"

namespace neuroncheck {
namespace {

// As the simulated device spells them (harness/simulator/faults.cpp); which of them a fault has, it says itself.
constexpr std::array<std::string_view, 4> kSeverities = {"everywhere", "one_tile", "one_element", "one_in_n"};

std::atomic<bool> stop_requested = false;  // the one thing a signal handler may touch

void request_stop(int) { stop_requested = true; }

void replace(std::string& text, std::string_view what, const std::string& with) {
  const std::size_t at = text.find(what);
  if (at != std::string::npos) text.replace(at, what.size(), with);
}

std::string filled_in(std::string value, const WorkerSetup& setup, int slot) {
  replace(value, kCorePlaceholder, std::to_string(setup.first_core + slot));
  replace(value, kCachePlaceholder, setup.database.string() + "-compile-cache");
  return value;
}

// Nothing of the caller's: the target's package, and what lies beside a file of custom operators.
std::string python_path(const WorkerSetup& setup, const Target& target) {
  std::vector<std::string> folders;
  if (!target.package.empty()) folders.push_back((installation().build / target.package).string());
  if (!setup.custom.empty()) folders.push_back(std::filesystem::absolute(setup.custom).parent_path().string());
  return fmt::format("{}", fmt::join(folders, ":"));
}

}  // namespace

void check_fault(const Target& target, const std::string& fault) {
  if (fault.empty()) return;
  if (!target.simulated) throw UserError(fmt::format("--fault {}: only simulated targets can be given faults, and {} is none", fault, target.name));
  const std::string name = fault.substr(0, fault.find(':'));
  const std::string severity = name.size() < fault.size() ? fault.substr(name.size() + 1) : "everywhere";
  if (std::find(kSeverities.begin(), kSeverities.end(), severity) == kSeverities.end()) {
    throw UserError(fmt::format("--fault {}: unknown severity '{}': one of {}", fault, severity, fmt::join(kSeverities, ", ")));
  }
  if (std::find(target.faults.begin(), target.faults.end(), name) != target.faults.end()) return;
  throw UserError(fmt::format("--fault {}: target {} knows {}", name, target.name, fmt::join(target.faults, ", ")));
}

std::filesystem::path in_flight_file(const WorkerSetup& setup) { return setup.database.string() + "-inflight"; }

std::filesystem::path worker_log(const WorkerSetup& setup) { return setup.database.string() + "-workers.log"; }

WorkerCommand worker_command(const WorkerSetup& setup, const Target& target, int slot) {
  const Installation& here = installation();
  WorkerCommand command;
  command.arguments = {here.worker.string(),
                       fmt::format("--target={}", setup.target),
                       fmt::format("--suites={}", here.suites.string()),
                       fmt::format("--build={}", here.build.string()),
                       fmt::format("--in-flight={}", in_flight_file(setup).string()),
                       fmt::format("--seed={}", setup.seed),
                       fmt::format("--keys={}", setup.keys),
                       fmt::format("--slot={}", slot),
                       fmt::format("--slots={}", setup.jobs)};
  if (!setup.custom.empty()) command.arguments.push_back(fmt::format("--custom={}", setup.custom));
  for (const std::string& folder : setup.sources) command.arguments.push_back(fmt::format("--source={}", folder));
  if (!setup.fault.empty()) command.arguments.push_back(fmt::format("--fault={}", setup.fault));
  for (const auto& [name, value] : target.environment) command.environment[name] = filled_in(value, setup, slot);
  command.environment["CI"] = std::nullopt;  // torch compiles otherwise where it is set (torch/_functorch/config.py): a verdict depends on no caller
  command.environment["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0";
  command.environment["OMP_NUM_THREADS"] = "1";
  command.environment["PYTHONPATH"] = python_path(setup, target);
  command.log_file = worker_log(setup).string();
  return command;
}

RunLock::RunLock(const WorkerSetup& setup) : descriptor_(::open(in_flight_file(setup).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) {
    throw UserError(fmt::format("{}: cannot be written ({}): choose another folder with --db", in_flight_file(setup).string(), std::strerror(errno)));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(descriptor_);
  throw UserError(
      fmt::format("{}: another neuroncheck is running into it; wait for its end, or choose another file with --db", setup.database.string()));
}

RunLock::~RunLock() { ::close(descriptor_); }

Baseline baseline_of(const Target& target) { return load_baseline(installation().suites / "baselines" / (target.name + ".json")); }

std::vector<Canary> canaries_of(const Target& target) {
  if (target.evidence == "host") return {Canary::mismatch, Canary::refused, Canary::crash, Canary::timeout};
  return {Canary::mismatch, Canary::fallback, Canary::refused, Canary::crash, Canary::timeout};
}

const std::atomic<bool>& stop_on_signals() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return stop_requested;
}

double monotonic_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace neuroncheck
