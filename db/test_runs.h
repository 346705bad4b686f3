// Small synthetic runs for the tests of this room.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "db/store.h"
#include "harness/temporary_folder.h"

namespace neuroncheck::test_runs {

using neuroncheck::TemporaryFolder;

// Rows "add" and "softmax", float32 and bfloat16, eager and compiled, four cases each: 16 observations.
Plan small_plan(const std::string& started = "2026-03-01T10:00:00Z");

struct Outcome {
  VerdictKind kind = VerdictKind::pass;
  std::string reason, cause;
};
Record record_of(const Plan& plan, const std::string& row, std::int64_t n, Path path, const Outcome& outcome = {});

// All planned observations, all passed.
std::vector<Record> all_passed(const Plan& plan);
// The one of a row, case and path.
Record& at(std::vector<Record>& records, const std::string& row, std::int64_t n, Path path);
void set(std::vector<Record>& records, const std::string& row, std::int64_t n, Path path, const Outcome& outcome);

Baseline empty_baseline();

// Stores them as one run with the triage of the baseline, a finding for each unexpected one, and ends it. Returns its number.
struct Ending {
  RunState state = RunState::complete;
  std::string why, canaries;
};
std::int64_t store_run(Database& database, const Plan& plan, const std::vector<Record>& records, const Baseline& baseline = empty_baseline(),
                       const Ending& ending = {});

}  // namespace neuroncheck::test_runs
