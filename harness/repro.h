// A case as a Python script that stands alone: torch and the target's own imports, nothing of ours. It runs the case on the plain CPU and on one
// path of the target, prints both, and ends with "same" (exit code 0) or "DIFFERENT" (1): bit by bit, NaN being equal to NaN.
// A difference need not be an error: rounding is judged by `neuroncheck replay`, not there. A failure that comes only now and then needs several
// runs.
#pragma once

#include <string>

#include "harness/program.h"
#include "harness/target.h"

namespace neuroncheck {

struct ReproRun {
  Path path = Path::eager;
  std::string fault = {};  // what the simulated target was given, "name" or "name:severity"; empty: nothing
  int runs = 1;            // of the target, until one differs
};

std::string repro_script(const Case& test_case, const Target& target, const ReproRun& run);

}  // namespace neuroncheck
