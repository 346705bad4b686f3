// What each seeded fault does to one computation. A routine computes like compute_with_numerics, but wrongly.
#pragma once

#include <string_view>

#include "harness/simulator/host_call.h"

namespace neuroncheck::simulator {

using FaultRoutine = Values (*)(const c10::OperatorHandle& op, Values arguments);

// nullptr: the fault acts on whole graphs (graph.cpp).
FaultRoutine fault_routine(std::string_view name);

}  // namespace neuroncheck::simulator
