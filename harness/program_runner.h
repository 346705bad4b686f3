// Tensors from specs, and programs through the boxed dispatcher: no op has call code of its own. Needs torch (torch types stay behind at::Tensor).
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/host_tensor.h"
#include "harness/program.h"

namespace neuroncheck {

// Elements behind the last one that the layout needs: a device that writes past the end is seen. None in front, since that would turn every
// plain tensor into one with a storage offset.
inline constexpr std::int64_t kGuardElements = 16;

// A tensor on the CPU in its layout, inside a storage whose unused parts are poisoned.
at::Tensor make_cpu_tensor(const TensorSpec& spec, const SymbolValues& symbols);
// The same laid out alike on `device` (copied there bit by bit).
at::Tensor make_tensor(const TensorSpec& spec, const SymbolValues& symbols, const at::Device& device);

// Calls one node. `values` are the outputs of earlier nodes; Device parameters become `device`.
std::vector<at::Tensor> call_node(const Node& node, std::span<const at::Tensor> inputs, const std::vector<std::vector<at::Tensor>>& values,
                                  const SymbolValues& symbols, const at::Device& device);

// All nodes in order; the program's outputs.
std::vector<at::Tensor> run_program(const Program& program, std::span<const at::Tensor> inputs, const SymbolValues& symbols,
                                    const at::Device& device);

// The grad_output of output number `output` (same on every device and in the reference): made on the CPU with the case's Backward fill, in the
// output's dtype and sizes, contiguous.
at::Tensor make_grad_output(const Case& test_case, std::size_t output, std::size_t step, const at::Tensor& like);

// Which outputs take gradients: floating outputs that require grad, in order.
std::vector<std::size_t> differentiable_outputs(std::span<const at::Tensor> outputs);

HostTensor to_host(const at::Tensor& tensor, std::span<const at::Tensor> inputs);

// A tensor made from this spec, after the run; guard_broken: what lies around or between its elements no longer is poison.
HostTensor input_to_host(const at::Tensor& tensor, const TensorSpec& spec, const SymbolValues& symbols, std::span<const at::Tensor> inputs);

// Throws std::runtime_error for dtypes that are not in the harness' list: an op may return those.
Dtype dtype_of(const at::Tensor& tensor);
at::ScalarType scalar_type(Dtype dtype);

}  // namespace neuroncheck
