// One op on device tensors: its arguments become host aliases, the layers of host_call.h compute, its results become device tensors again, views of
// the same device storages where they are views. Nothing here goes through the dispatcher for the device's key.
#pragma once

#include "harness/simulator/host_call.h"
#include "harness/simulator/state.h"

namespace neuroncheck::simulator {

// Device tensors in, device tensors out; mutable arguments are changed in place, sizes and storages included.
// Throws RuntimeError where the vendor does: host tensors with dimensions among the arguments.
Values run_on_device(const c10::OperatorHandle& op, Values arguments, Path path);

// What the vendor's compiler refuses, as its text with the code; empty when it compiles.
std::string compiler_refusal(const c10::OperatorHandle& op, const Values& arguments);

}  // namespace neuroncheck::simulator
