// From what the user asked for to the planned set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan.h"
#include "harness/target.h"
#include "suites/row.h"
#include "suites/suite.h"

namespace neuroncheck {

struct RunSelection {
  std::vector<std::string> ops;       // globs over row names and op names ("softmax*", "aten::add.Tensor"); empty: all of the suite
  std::vector<Dtype> dtypes;          // empty: all
  std::vector<Path> paths;            // empty: all of the target
  std::optional<std::int64_t> cases;  // per row; else the suite's
  int shard = 0, shards = 1;          // rows are dealt out by number
};

// "name matches glob" as every command understands it: against the row's name, its op, and its op without "aten::".
bool matches(const Row& row, const std::string& glob);

// Throws UserError for a glob that matches no row, or a path the target does not have.
Plan make_plan(const Target& target, const Suite& suite, const RunSelection& selection);

// "90s", "5m", "2h", or a number of seconds; throws UserError.
double parse_duration_s(const std::string& text);

}  // namespace neuroncheck
