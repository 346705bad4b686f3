// One step of a case, op by op on a device.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstddef>
#include <span>
#include <vector>

#include "harness/observation.h"
#include "harness/program.h"

namespace neuroncheck {

// Which step of which case on which path and device.
struct StepOf {
  const Case& test_case;
  Path path;
  std::size_t step;
  at::Device device;
};

// The program's inputs of one step, fresh; those that take gradients are leaves with requires_grad on *_backward paths only.
std::vector<at::Tensor> make_inputs(const StepOf& of);

// Outputs of the program, or the gradients of the inputs with requires_grad (undefined where an input has no part in any output).
std::vector<at::Tensor> run_step(const StepOf& of, std::span<const at::Tensor> inputs);

// What a step left behind. An undefined gradient counts as zeros of its input's shape.
Step read_step(const StepOf& of, std::span<const at::Tensor> outputs, std::span<const at::Tensor> inputs);

// The inputs that take gradients.
std::vector<at::Tensor> leaves_of(std::span<const at::Tensor> inputs);

// One grad_output for each differentiable output, on that output's device.
std::vector<at::Tensor> grad_outputs_of(const StepOf& of, std::span<const at::Tensor> outputs);

}  // namespace neuroncheck
