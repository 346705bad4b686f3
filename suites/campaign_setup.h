// What every command that starts workers needs: the target, its worker command and the folder for logs and the in-flight file.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "harness/campaign.h"
#include "harness/target.h"

namespace neuroncheck {

struct WorkerSetup {
  std::string target;                // NAME or FILE
  std::string fault;                 // "name[:severity]"; simulated targets only
  std::string custom;                // file of custom operators; empty: none
  std::vector<std::string> sources;  // folders of ready cases
  std::uint64_t seed = 0;
  int keys = 8;
  int jobs = 1;
  std::filesystem::path database;  // in-flight file and log lie beside it
  int first_core = 0;              // device core of worker 0; worker n has the n-th after it
};

// Holds the database for one run: a second one into it throws UserError. Released with the process, however that ends.
class RunLock {
 public:
  explicit RunLock(const WorkerSetup& setup);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_;
};

// Throws UserError for a fault or severity the target does not have.
void check_fault(const Target& target, const std::string& fault);

std::filesystem::path in_flight_file(const WorkerSetup& setup);
std::filesystem::path worker_log(const WorkerSetup& setup);
// In values of the target's environment, {core} becomes the device core of the worker, {cache} a folder beside the database for compilers.
WorkerCommand worker_command(const WorkerSetup& setup, const Target& target, int slot);

// Expected and unexpected deviations of a target.
Baseline baseline_of(const Target& target);

// Kinds of canary that the target can show.
std::vector<Canary> canaries_of(const Target& target);

// Set by SIGINT and SIGTERM once installed.
const std::atomic<bool>& stop_on_signals();

double monotonic_s();
std::string utc_now();  // ISO 8601

}  // namespace neuroncheck
