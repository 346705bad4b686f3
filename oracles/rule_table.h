// THE table op -> rule, by family: a file table_*.cpp each. Needs torch.
#pragma once

#include <map>
#include <string>

#include "oracles/rules.h"

namespace neuroncheck::oracles {

// By base name ("aten::add") or, where overloads differ, by full name ("aten::max.dim").
using RuleTable = std::map<std::string, Rule>;

const RuleTable& rule_table();  // all of them

void add_moves(RuleTable& table);
void add_elementwise(RuleTable& table);
void add_functions(RuleTable& table);
void add_activations(RuleTable& table);
void add_gradients(RuleTable& table);
void add_losses(RuleTable& table);
void add_linear(RuleTable& table);
void add_rows(RuleTable& table);
void add_paddings(RuleTable& table);
void add_creation(RuleTable& table);
void add_pooling(RuleTable& table);
void add_resizing(RuleTable& table);
void add_indexing(RuleTable& table);
void add_complex(RuleTable& table);
void add_estimated(RuleTable& table);

}  // namespace neuroncheck::oracles
