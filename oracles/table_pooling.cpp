#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

// Windows over images and resizing.
void add_pooling(RuleTable& /*table*/) {}

}  // namespace neuroncheck::oracles
