// What every command that starts workers needs: the target, its worker command and the folder for logs and the in-flight file.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "harness/campaign.h"
#include "harness/target.h"

namespace neuroncheck {

struct WorkerSetup {
  std::string target;  // NAME or FILE
  std::string fault;   // "name[:severity]"; simulated targets only
  std::uint64_t seed = 0;
  int keys = 8;
  int jobs = 1;
  std::filesystem::path database;  // in-flight file and log lie beside it
};

// Throws UserError for a fault the target does not have.
void check_fault(const Target& target, const std::string& fault);

std::filesystem::path in_flight_file(const WorkerSetup& setup);
std::filesystem::path worker_log(const WorkerSetup& setup);
WorkerCommand worker_command(const WorkerSetup& setup, const Target& target, int slot);

// A fresh one for what leaves no database behind; the caller removes it. Throws UserError when none can be made.
std::filesystem::path temporary_folder();

// Expected and unexpected deviations of a target.
Baseline baseline_of(const Target& target);

// Kinds of canary that the target can show.
std::vector<Canary> canaries_of(const Target& target);

// Set by SIGINT and SIGTERM once installed.
const std::atomic<bool>& stop_on_signals();

double monotonic_s();
std::string utc_now();  // ISO 8601

}  // namespace neuroncheck
