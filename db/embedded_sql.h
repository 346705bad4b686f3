// The SQL files of this room, as the build put them into the library.
#pragma once

#include <string_view>
#include <vector>

namespace neuroncheck {

const char* schema_sql();  // schema.sql and views.sql
const char* merge_sql();   // merge.sql

struct EmbeddedQuery {
  std::string_view name;  // of the file, without .sql
  std::string_view text;
};
const std::vector<EmbeddedQuery>& embedded_queries();  // by name

}  // namespace neuroncheck
