// The three ways in which the vendor's device runs an op on the host:
//   1  no kernel for the device: torch's cpu_fallback, which nothing switches off;
//   2  an implementation that cannot handle the arguments: in-place on a strided slice, a memory format other than contiguous;
//   3  the compiler refuses the op with these arguments: it runs on the host after the fact.
// TORCH_NEURONX_FALLBACK_ONLY_FOR_UNIMPLEMENTED_OPS=1 turns 2 and 3 into errors, NEURON_FALLBACK_ENABLED=0 turns 3 into one.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <string>

namespace neuroncheck::simulator {

// Layer 1, and what 2 and 3 come down to: copies to the host, the CPU kernel, copies back. Named in the tracker.
void fall_back(const c10::OperatorHandle& op, torch::jit::Stack* stack);

// Throws the vendor's text when layers 2 and 3 are switched off.
void refuse_when_strict(const std::string& op, const std::string& details);

// The eager kernel of every native op: decides between the device and layers 2 and 3.
void run_eager(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace neuroncheck::simulator
