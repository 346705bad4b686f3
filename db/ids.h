// Words to integer keys: looked up once, added when new.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "db/catalogue_entry.h"
#include "harness/record.h"

namespace neuroncheck {

// Their names, comma-separated, as columns hold them.
template <class Names>
std::string join_names(const Names& values) {
  std::string joined;
  for (const auto value : values) joined += (joined.empty() ? "" : ",") + std::string(name_of(value));
  return joined;
}

class Ids {
 public:
  explicit Ids(SQLite::Database& database) : database_(database) {}

  void add_op(const std::string& name, const std::string& family);
  void add_entry(const CatalogueEntry& entry);
  std::int64_t op(const std::string& name);
  std::int64_t cell(const Record& record);
  std::int64_t row(const Record& record);  // a case from a file has no row: it gets one of its own
  std::optional<std::int64_t> cause(const std::string& text);
  std::optional<std::int64_t> test_case(const Record& record);
  // What was added since the last call must be looked up again when its transaction was rolled back.
  void forget() { known_.clear(); }

 private:
  // `insert` and `select` take the same values.
  template <class... Values>
  std::int64_t find_or_add(const std::string& key, const char* insert, const char* select, const Values&... values);

  SQLite::Database& database_;
  std::map<std::string, std::int64_t> known_;
};

}  // namespace neuroncheck
