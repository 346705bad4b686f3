// Rules of the CPU's fused attention. Needs torch.
#pragma once

#include "oracles/rules.h"

namespace neuroncheck::oracles {

// _scaled_dot_product_flash_attention_for_cpu and its backward op.
Rule attention();
Rule attention_backward();

}  // namespace neuroncheck::oracles
