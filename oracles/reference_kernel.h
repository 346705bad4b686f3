// A rule as a kernel of the reference backend, for operators that are no part of torch. Needs torch.
#pragma once

#include <torch/library.h>

#include "oracles/rules.h"

namespace neuroncheck::oracles {

// `op` writes nothing. To be registered under PrivateUse2.
torch::CppFunction reference_kernel(const c10::OperatorHandle& op, Rule rule);

}  // namespace neuroncheck::oracles
