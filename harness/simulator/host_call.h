// One op computed on the host: the layers that turn torch's CPU kernel into the simulated device's arithmetic. Each layer is a function from host
// tensors to host tensors with the same signature, and calls the one below:
//   compute_with_faults (faults.h) > compute_with_numerics (numerics.h) > compute_with_personality (personality.h) > call_cpu
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neuroncheck::simulator {

using Values = std::vector<c10::IValue>;

// torch's own CPU kernel, below autograd. Mutable arguments are changed in place.
Values call_cpu(const c10::OperatorHandle& op, Values arguments);

// The same arguments with copies of those that the kernel would change.
Values copies_of_written(const c10::OperatorHandle& op, Values arguments);

// Replaces every defined tensor in a Tensor, Tensor[] or Tensor?[].
void transform_tensors(c10::IValue& value, const std::function<at::Tensor(const at::Tensor&)>& transform);
void for_each_tensor(const c10::IValue& value, const std::function<void(const at::Tensor&)>& visit);

std::string full_name(const c10::OperatorHandle& op);  // aten::add.Tensor
std::string base_name(const c10::OperatorHandle& op);  // add, also for add_ and add.out
bool is_written(const c10::Argument& argument);
bool is_view(const c10::OperatorHandle& op);      // its result shares memory with an argument that is not written
bool is_in_place(const c10::OperatorHandle& op);  // add_: its first argument is the result
bool draws_random_numbers(const c10::OperatorHandle& op);

// The argument of that name; None when the op has no such argument.
c10::IValue argument(const c10::OperatorHandle& op, const Values& arguments, std::string_view name);
int argument_index(const c10::OperatorHandle& op, std::string_view name);  // -1: none

}  // namespace neuroncheck::simulator
