#include "suites/campaign_setup.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "harness/user_error.h"
#include "suites/installation.h"

namespace neuroncheck {
namespace {

std::atomic<bool> stop_requested = false;  // the one thing a signal handler may touch

void request_stop(int) { stop_requested = true; }

}  // namespace

void check_fault(const Target& target, const std::string& fault) {
  if (fault.empty()) return;
  if (!target.simulated) throw UserError(fmt::format("--fault {}: only simulated targets can be given faults, and {} is none", fault, target.name));
  const std::string name = fault.substr(0, fault.find(':'));
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
  if (!setup.fault.empty()) command.arguments.push_back(fmt::format("--fault={}", setup.fault));
  command.environment.insert(target.environment.begin(), target.environment.end());
  command.environment["CI"] = std::nullopt;  // torch compiles otherwise where it is set (torch/_functorch/config.py): a verdict depends on no caller
  command.environment["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0";
  command.environment["OMP_NUM_THREADS"] = "1";
  // A compiler's caches are this database's own: a stale binary of another build is never tested.
  command.environment["TORCHINDUCTOR_CACHE_DIR"] = setup.database.string() + "-compile-cache";
  command.environment["PYTHONPATH"] = target.package.empty() ? "" : (here.build / target.package).string();
  command.log_file = worker_log(setup).string();
  return command;
}

std::filesystem::path temporary_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "neuroncheck-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw UserError("no temporary folder can be made: set TMPDIR to one that can be written");
  return name;
}

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
  std::signal(SIGPIPE, SIG_IGN);  // a worker that died shows itself when its pipe is read
  return stop_requested;
}

double monotonic_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace neuroncheck
