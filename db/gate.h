// Is this run to be accepted? A pure function of the database and the baseline kept with the run (matrix.md section 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/database.h"
#include "harness/expectation.h"

namespace neuroncheck {

struct GateOptions {
  std::optional<std::int64_t> reference;  // a run; else the complete run before in the same series
  std::optional<Baseline> baseline;       // judge by this one instead of the one the run was made with
};

struct GateResult {
  int exit_code = 0;            // 0 accepted, 1 unexpected results, 3 incomplete, 5 cannot be believed
  std::int64_t unexpected = 0;  // wrong and broken results that no entry lists
  std::int64_t lost_cells = 0;  // cells that were better in the reference run
  std::int64_t harness_errors = 0;
  std::int64_t reference = 0;       // 0: none, this run is the reference from now on
  std::string verdict;              // one phrase: "nothing unexpected", "12 unexpected results", ...
  std::vector<std::string> lines;   // what was found, one thing a line
  std::vector<std::string> losses;  // the lost cells among them: "aten::add.Tensor float32 eager: native -> fallback (8 -> 0 native cases)"
};

// Throws UserError when the reference run is of another suite, target, lane or selection.
GateResult gate_run(const Database& database, std::int64_t run, const GateOptions& options = {});

}  // namespace neuroncheck
