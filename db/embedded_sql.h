// The SQL files of this room, as the build put them into the library.
#pragma once

#include <string_view>
#include <vector>

namespace neuroncheck {

const char* tables_sql();                           // schema.sql
const char* views_sql();                            // views.sql
const char* merge_sql();                            // merge.sql
const std::vector<std::string_view>& migrations();  // migrations/from_1.sql, from_2.sql, ...: from each version of the tables to the next

struct EmbeddedQuery {
  std::string_view name;  // of the file, without .sql
  std::string_view text;
};
const std::vector<EmbeddedQuery>& embedded_queries();  // by name

}  // namespace neuroncheck
