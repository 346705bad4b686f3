// Cases of one operator, drawn from its schema alone until plain CPU takes them. Needs torch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/dtype.h"
#include "harness/session.h"
#include "suites/schema_operators.h"

namespace neuroncheck {

struct SchemaCases {
  std::map<Dtype, std::vector<Case>> cases;
  std::string refused;  // what plain CPU said last, where it took nothing
};

// The same cases on every machine with this torch.
SchemaCases cases_from_schema(const SchemaOperator& op, Session& plain);

}  // namespace neuroncheck
