#include "harness/simulator/fallback.h"

#include <ATen/ATen.h>
#include <ATen/native/CPUFallback.h>

#include "harness/simulator/kernel.h"
#include "harness/simulator/state.h"

namespace neuroncheck::simulator {
namespace {

// Layer 2: an in-place op whose destination is a strided slice.
bool writes_into_slice(const c10::OperatorHandle& op, const Values& arguments) {
  static const std::set<std::string, std::less<>> lossless = read_names("lossless");
  if (settings().all_native || !is_in_place(op) || is_view(op) || lossless.contains(base_name(op))) return false;
  return arguments.front().isTensor() && arguments.front().toTensor().device().is_privateuseone() && !arguments.front().toTensor().is_contiguous();
}

// Layer 3: what neuronx-cc answers once the op is queued.
void check_recovery(const std::string& op, const std::string& refusal) {
  if (!settings().strict_fallback && settings().recovery) return;
  TORCH_CHECK(false, "Compilation error occurred on Neuron for operation=", op,
              "; error message=\"COMPILATION FAILED: HLO to NEFF compilation failed for op '", op,
              "': Command failed (neuronx-cc compilation) with exit code 70: ", refusal, "\". CPU fallback is disabled for operation=", op);
}

}  // namespace

void fall_back(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  tracker().fell_back(full_name(op));
  at::native::cpu_fallback(op, stack);
}

void refuse_when_strict(const std::string& op, const std::string& details) {
  TORCH_CHECK(!settings().strict_fallback, "CPU fallback disabled because TORCH_NEURONX_FALLBACK_ONLY_FOR_UNIMPLEMENTED_OPS=1. Operation ", op,
              " failed to execute on Neuron (last implementation: ", op, "MLIRImpl). Details: ", details);
}

void run_eager(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const std::size_t count = op.schema().arguments().size();
  Values arguments(stack->end() - static_cast<std::ptrdiff_t>(count), stack->end());
  if (writes_into_slice(op, arguments)) {
    refuse_when_strict(full_name(op), "Cannot process non-contiguous tensors");
    fall_back(op, stack);
    return;
  }
  const std::string refusal = settings().all_native ? "" : compiler_refusal(op, arguments);
  if (!refusal.empty()) {
    check_recovery(full_name(op), refusal);
    fall_back(op, stack);
    return;
  }
  torch::jit::drop(*stack, count);
  Values results = run_on_device(op, std::move(arguments), Path::eager);
  tracker().executed(full_name(op));
  stack->insert(stack->end(), std::make_move_iterator(results.begin()), std::make_move_iterator(results.end()));
}

}  // namespace neuroncheck::simulator
