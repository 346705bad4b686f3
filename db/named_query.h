// The questions of db/queries, by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "db/table.h"

namespace neuroncheck {

struct QueryInfo {
  std::string name;
  std::string answers;  // the file's first comment line
};

// What is not given: the newest run for `run` and `to`, the one before it in its series for `from`.
struct QueryParameters {
  std::optional<std::string> target;
  std::optional<std::string> op;             // a part of the name, or a glob
  std::optional<std::string> from, to, run;  // as resolve_run takes them
};

std::vector<QueryInfo> list_queries();

// Throws UserError for an unknown name (with the list), and for a parameter the query does not take.
Table run_named_query(const Database& database, const std::string& name, const QueryParameters& parameters = {});

}  // namespace neuroncheck
