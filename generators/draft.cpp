#include "generators/draft.h"

#include "harness/random.h"

namespace neuroncheck::generators {

Case with_values(const Draft& draft, std::uint64_t seed) {
  Case test_case = draft.test_case;
  std::vector<TensorSpec>& inputs = test_case.program.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::uint64_t input_seed = mix(seed, i);
    if (i < draft.fills.size() && !draft.fills[i].empty()) {
      inputs[i].fill = draft.fills[i][mix(input_seed, 0) % draft.fills[i].size()];
    }
    inputs[i].fill.seed = mix(input_seed, 1);
  }
  for (Backward& backward : test_case.backward) {
    backward.fill.seed = mix(seed, inputs.size());
  }
  return test_case;
}

}  // namespace neuroncheck::generators
