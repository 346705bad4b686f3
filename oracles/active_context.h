// The evaluation that kernels of the reference run in. Needs torch.
#pragma once

#include <string>
#include <vector>

#include "oracles/rules.h"

namespace neuroncheck::oracles {

class ContextScope {
 public:
  explicit ContextScope(Context& context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  Context* previous_;
};

// Throws std::logic_error outside of a ContextScope.
Context& current_context();

// Replaces the results of elements whose argument is of a class that the profile's personality names for this op: an exact value.
void apply_personality(const std::string& op, const std::vector<c10::IValue>& arguments, std::vector<PairTensor>& results);

}  // namespace neuroncheck::oracles
