#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

// Composites that are estimated as a whole: taken apart they write pairs into plain tensors of their own making. What has neither rule nor
// decomposition is estimated without a line here.
void add_estimated(RuleTable& table) { table["aten::linalg_lstsq"] = estimated(); }

}  // namespace neuroncheck::oracles
