// The facts of the first screen, read from the database once and then printed as text or JSON.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/database.h"
#include "db/gate.h"

namespace neuroncheck {

inline constexpr std::array kBucketNames = {"native", "weak", "degraded", "refused", "wrong", "broken", "none"};

struct CauseLine {
  std::int64_t cells = 0, cases = 0;
  std::string verdict, reason, cause, an_op, repro;
};

struct RunSummary {
  std::int64_t run = 0;
  std::string target, suite, lane, selection, fault, seed, started, state, why, canaries;
  bool simulated = false;
  std::map<std::string, std::string> build;
  std::int64_t planned = 0, done = 0, conflicts = 0;
  std::int64_t rows = 0, ops = 0, dtypes = 0, paths = 0, cases = 0, compile_keys = 0, compilations = 0;
  std::array<std::int64_t, 7> buckets = {};
  std::int64_t previous = 0;  // run the changes refer to; 0: none
  std::string previous_started;
  std::array<std::int64_t, 7> previous_buckets = {};
  std::int64_t known = 0;  // wrong and broken results that a baseline lists
  std::int64_t cause_count = 0;
  std::vector<CauseLine> causes;  // unexpected ones, most cells first
  std::int64_t fallback_cells = 0;
  std::vector<std::string> new_fallbacks;  // "aten::op dtype path -> aten::host_op"
  std::vector<std::string> housekeeping;
  GateResult gate;
};

RunSummary summarise(const Database& database, std::int64_t run);

}  // namespace neuroncheck
