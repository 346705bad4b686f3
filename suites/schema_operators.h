// The operators of this process that no row is for, and which of them can be drawn from their schemas alone. Needs torch.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace neuroncheck {

struct SchemaOperator {
  std::string op;         // "aten::det"
  std::string schema;     // as torch writes it
  std::string reason;     // why nothing is drawn; empty: it can be tried
  bool has_fake = false;  // a meta kernel, or a decomposition: compilers can trace it
};

// In namespace `aten` and in those of `namespaces`; without the ops of `covered`. By name.
std::vector<SchemaOperator> schema_operators(const std::set<std::string>& covered, const std::set<std::string>& namespaces);

// The namespaces that are registered by now.
std::set<std::string> operator_namespaces();

}  // namespace neuroncheck
