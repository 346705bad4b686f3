#include "oracles/rules.h"

#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {
namespace {

RuleTable make_table() {
  RuleTable table;
  for (const auto add : {
           add_elementwise,
           add_functions,
           add_activations,
           add_gradients,
           add_losses,
           add_linear,
           add_rows,
           add_paddings,
           add_creation,
           add_pooling,
           add_resizing,
           add_indexing,
           add_estimated,
       }) {
    add(table);
  }
  for (auto& [op, rule] : table) rule = estimated_where_complex(std::move(rule));
  add_moves(table);
  add_complex(table);
  return table;
}

}  // namespace

const RuleTable& rule_table() {
  static const RuleTable kTable = make_table();
  return kTable;
}

const Rule* rule_of(const std::string& base_name, const std::string& overload) {
  const RuleTable& table = rule_table();
  auto found = table.find(base_name + "." + overload);
  if (found == table.end()) found = table.find(base_name);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace neuroncheck::oracles
