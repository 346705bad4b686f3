// Ops that draw random numbers: the reference knows the range of what they give, and what that range says is all that is judged. Needs torch.
#pragma once

#include <string>

#include "harness/program.h"
#include "oracles/rules.h"

namespace neuroncheck::oracles {

// By base name.
bool draws_random_numbers(const std::string& base_op);

// Of a factory: rand, randint, randperm, ...; `plain` is what torch's CPU made of the node.
PairTensor drawn_by_factory(const Node& node, const at::Tensor& plain, const SymbolValues& symbols);

struct Range {
  double low = 0.0, high = 0.0;
};
// Results in the sizes and dtype that the op gives them, each element in the range that the call allows.
Rule drawn(Range (*range)(const Call& call));
Rule dropout();
Rule rrelu();

}  // namespace neuroncheck::oracles
