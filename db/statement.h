// One-line statements: bind in order, step, read.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>

namespace neuroncheck {

template <class... Values>
SQLite::Statement prepare(const SQLite::Database& database, const std::string& sql, const Values&... values) {
  SQLite::Statement statement(database, sql);
  int index = 0;
  (statement.bind(++index, values), ...);
  return statement;
}

template <class... Values>
int execute(const SQLite::Database& database, const std::string& sql, const Values&... values) {
  return prepare(database, sql, values...).exec();
}

// The first column of the first row; 0 or "" where there is none.
template <class... Values>
std::int64_t integer(const SQLite::Database& database, const std::string& sql, const Values&... values) {
  SQLite::Statement statement = prepare(database, sql, values...);
  return statement.executeStep() ? statement.getColumn(0).getInt64() : 0;
}

template <class... Values>
std::string text(const SQLite::Database& database, const std::string& sql, const Values&... values) {
  SQLite::Statement statement = prepare(database, sql, values...);
  return statement.executeStep() ? statement.getColumn(0).getString() : "";
}

}  // namespace neuroncheck
