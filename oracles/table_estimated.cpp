#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

// What has neither rule nor decomposition is estimated without a line here.
void add_estimated(RuleTable& table) {
  table["aten::linalg_lstsq"] = estimated();  // a composite: taken apart it writes pairs into plain tensors of its own making
  for (const std::string sampler : {"aten::grid_sampler_2d", "aten::grid_sampler_3d"}) {
    table[sampler] = estimated({1});
    table[sampler + "_backward"] = estimated({2});
  }
}

}  // namespace neuroncheck::oracles
