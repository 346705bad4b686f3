// Smaller cases, most promising first: the children of a case in its shrink tree. Pure: the same case always has the same children, so that a
// position in the tree is (row, n, path of child numbers). Candidates may be invalid programs: the reference then raises and they count as passing.
#pragma once

#include <vector>

#include "harness/program.h"

namespace neuroncheck {

std::vector<Case> shrinks(const Case& test_case);

}  // namespace neuroncheck
