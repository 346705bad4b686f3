#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

// Ops on lists of tensors.
void add_lists(RuleTable& /*table*/) {}

}  // namespace neuroncheck::oracles
