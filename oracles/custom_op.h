// Operators that users bring: their reference is a function on float64 tensors in place of a rule. Needs torch.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <functional>
#include <string>
#include <vector>

namespace neuroncheck::oracles {

struct CustomOp {
  using Function = std::function<std::vector<at::Tensor>(const std::vector<c10::IValue>&)>;

  std::string op;  // "my::gelu", "my::gelu.overload"
  // The results, from the op's arguments with every floating tensor in float64, and again in float32, which shows how it accumulates. Empty: the
  // rules of what it decomposes into, or its CPU kernel.
  Function reference;
  // How far a right device's results may be off before they are rounded to their dtype, in the shapes of the results; takes the dtype's unit of
  // least precision at 1 and then the arguments. Empty: estimated, as of any op without a rule.
  Function bound;
};

// Makes the reference's rule of the op and, where it has no kernel for the CPU, one that rounds what `reference` returns. Once per process and op,
// behind register_reference_backend(). Throws UserError: no such operator, one that writes to its arguments, one with neither kernel nor reference, a
// reference or bound for one that has a rule.
void register_custom_op(const CustomOp& op);

}  // namespace neuroncheck::oracles
