// The OpInfo samples of the installed torch, captured once for each device type by generators/opinfo.py.
#pragma once

#include <filesystem>

#include "harness/target.h"
#include "suites/suite.h"

namespace neuroncheck {

// The folder with the samples for the target's device type; captures them first when that was not done yet (some minutes, with progress on stderr).
// Empty where the suite does not want them. Throws UserError when they cannot be captured; Python has said why.
std::filesystem::path samples_of(const Suite& suite, const Target& target);

}  // namespace neuroncheck
