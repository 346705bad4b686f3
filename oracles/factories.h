// Tensors that a program makes from nothing: no argument carries them to the reference's backend. Needs torch.
#pragma once

#include <ATen/core/Tensor.h>

#include "harness/program.h"
#include "oracles/rules.h"

namespace neuroncheck::oracles {

// `plain` is what torch's CPU made of the node. Throws std::logic_error for factories that the reference does not know.
PairTensor make_factory_result(const Node& node, const at::Tensor& plain, const SymbolValues& symbols, Context& context);

}  // namespace neuroncheck::oracles
