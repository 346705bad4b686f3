# SQL files become string constants of the library: embed_sql(OUTPUT MERGE file SCHEMA files QUERIES files).
function(embed_sql output)
  cmake_parse_arguments(sql "" "MERGE" "SCHEMA;QUERIES" ${ARGN})
  set(schema "")
  foreach(file ${sql_SCHEMA})
    file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${file} text)
    string(APPEND schema "R\"sql(${text})sql\"\n")
  endforeach()
  file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${sql_MERGE} merge)
  set(queries "")
  foreach(file ${sql_QUERIES})
    file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${file} text)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND queries "    {\"${name}\", R\"sql(${text})sql\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [[// Made by embed.cmake from db/*.sql.
#include "db/embedded_sql.h"

namespace neuroncheck {

const char* schema_sql() {
  return @schema@;
}

const char* merge_sql() {
  return R"sql(@merge@)sql";
}

const std::vector<EmbeddedQuery>& embedded_queries() {
  static const std::vector<EmbeddedQuery> queries = {
@queries@  };
  return queries;
}

}  // namespace neuroncheck
]])
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sql_SCHEMA} ${sql_MERGE} ${sql_QUERIES})
endfunction()
