// The sources of rows beside the catalogue: folders of ready cases (generators/ready_cases.h), made once and kept in the build folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/target.h"
#include "suites/suite.h"

namespace neuroncheck {

// The folders of the suite's sources; makes them first when that was not done yet (some minutes, with progress on stderr). `opinfo`: the samples of
// the installed torch, captured for the target's device type by generators/opinfo.py. `schema`: what neuroncheck_schemas draws for operators that
// have no row, with those that the modules of `custom` (a file of custom operators; empty: none) register. Throws UserError where they cannot be
// made; what makes them has said why.
std::vector<std::filesystem::path> sources_of(const Suite& suite, const Target& target, const std::string& custom);

}  // namespace neuroncheck
