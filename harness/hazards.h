// Cases that nobody may run: torch 2.13's CPU kernels answer them by writing outside of their memory, in whose process it may be.
#pragma once

#include "harness/program.h"

namespace neuroncheck {

// False for such cases: never drawn (catalogue_test.cpp), never tried when shrinking.
bool is_harmless(const Case& test_case);

}  // namespace neuroncheck
