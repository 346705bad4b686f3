// What an index output of the reference selects, for the ordering oracle. Needs torch.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "harness/bounded.h"
#include "harness/program.h"

namespace neuroncheck::oracles {

// For an output of a node that is an index into another operand of it (sort, topk, argmax, ...); nothing for others. Where the operand carries
// bounds, so does the index: places that they leave open. `self` is the node's first tensor as it was before the call.
std::optional<Selection> selection_of(const Node& node, int output, const at::Tensor& self, const std::vector<at::Tensor>& outputs);
bool is_selecting(const Node& node);

}  // namespace neuroncheck::oracles
