#include "harness/eager_run.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "harness/program_runner.h"

namespace neuroncheck {
namespace {

std::vector<at::Tensor> gradients(const StepOf& of, std::span<const at::Tensor> inputs, std::span<const at::Tensor> outputs) {
  const std::vector<at::Tensor> leaves = leaves_of(inputs);
  std::vector<at::Tensor> roots;
  for (const std::size_t output : differentiable_outputs(outputs)) roots.push_back(outputs[output]);
  if (roots.empty() || leaves.empty()) return std::vector<at::Tensor>(leaves.size());
  const std::vector<at::Tensor> grad_outputs = grad_outputs_of(of, outputs);
  return torch::autograd::grad(roots, leaves, grad_outputs, /*retain_graph=*/false, /*create_graph=*/false, /*allow_unused=*/true);
}

}  // namespace

std::vector<at::Tensor> make_inputs(const StepOf& of) {
  std::vector<at::Tensor> inputs;
  inputs.reserve(of.test_case.program.inputs.size());
  for (std::size_t i = 0; i < of.test_case.program.inputs.size(); ++i) {
    const TensorSpec spec = input_at_step(of.test_case, i, of.step);
    inputs.push_back(make_tensor(spec, of.test_case.bindings.at(of.step).symbols, of.device));
    if (is_backward(of.path) && spec.requires_grad) inputs.back().set_requires_grad(true);
  }
  return inputs;
}

std::vector<at::Tensor> run_step(const StepOf& of, std::span<const at::Tensor> inputs) {
  std::vector<at::Tensor> outputs = run_program(of.test_case.program, inputs, of.test_case.bindings.at(of.step).symbols, of.device);
  return is_backward(of.path) ? gradients(of, inputs, outputs) : outputs;
}

Step read_step(const StepOf& of, std::span<const at::Tensor> outputs, std::span<const at::Tensor> inputs) {
  Step step;
  const std::vector<at::Tensor> leaves = leaves_of(inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool no_part = is_backward(of.path) && !outputs[i].defined();
    step.outputs.push_back(to_host(no_part ? at::zeros_like(leaves.at(i)) : outputs[i], inputs));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorSpec& spec = of.test_case.program.inputs[i];
    step.inputs_after.push_back(input_to_host(inputs[i], spec, of.test_case.bindings.at(of.step).symbols, inputs));
  }
  return step;
}

std::vector<at::Tensor> leaves_of(std::span<const at::Tensor> inputs) {
  std::vector<at::Tensor> leaves;
  for (const at::Tensor& input : inputs) {
    if (input.requires_grad() && input.is_leaf()) leaves.push_back(input);
  }
  return leaves;
}

std::vector<at::Tensor> grad_outputs_of(const StepOf& of, std::span<const at::Tensor> outputs) {
  std::vector<at::Tensor> grad_outputs;
  for (const std::size_t output : differentiable_outputs(outputs)) {
    const at::Tensor on_cpu = make_grad_output(of.test_case, output, of.step, outputs[output]);
    grad_outputs.push_back(outputs[output].is_cpu() ? on_cpu : on_cpu.to(outputs[output].device()));
  }
  return grad_outputs;
}

}  // namespace neuroncheck
