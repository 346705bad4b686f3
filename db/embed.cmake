# SQL files become string constants of the library: embed_sql(OUTPUT MERGE file TABLES file VIEWS file MIGRATIONS files QUERIES files).
function(embed_sql output)
  cmake_parse_arguments(sql "" "MERGE;TABLES;VIEWS" "MIGRATIONS;QUERIES" ${ARGN})
  file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${sql_TABLES} tables)
  file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${sql_VIEWS} views)
  set(migrations "")
  foreach(file ${sql_MIGRATIONS})
    file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${file} text)
    string(APPEND migrations "    R\"sql(${text})sql\",\n")
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

const char* tables_sql() {
  return R"sql(@tables@)sql";
}

const char* views_sql() {
  return R"sql(@views@)sql";
}

const std::vector<std::string_view>& migrations() {
  static const std::vector<std::string_view> migrations = {
@migrations@  };
  return migrations;
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
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sql_TABLES} ${sql_VIEWS} ${sql_MIGRATIONS} ${sql_MERGE} ${sql_QUERIES})
endfunction()
