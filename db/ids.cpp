#include "db/ids.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "db/statement.h"
#include "harness/json_fields.h"

namespace neuroncheck {

template <class... Values>
std::int64_t Ids::find_or_add(const std::string& key, const char* insert, const char* select, const Values&... values) {
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  execute(database_, insert, values...);
  return known_[key] = integer(database_, select, values...);
}

void Ids::add_op(const std::string& name, const std::string& family) {
  execute(database_, "INSERT INTO op (name, family) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET family = ?2 WHERE family <> ?2", name, family);
}

void Ids::add_entry(const CatalogueEntry& entry) {
  add_op(entry.op, entry.family);
  execute(database_, "UPDATE op SET lists = ?2 WHERE name = ?1 AND lists <> ?2", entry.op, fmt::format("{}", fmt::join(entry.lists, ",")));
  execute(database_, "INSERT OR REPLACE INTO catalogue_op (op, rows, dtypes, strength, gradients, compiled, untestable) VALUES (?, ?, ?, ?, ?, ?, ?)",
          op(entry.op), entry.rows, join_names(entry.dtypes), entry.rows == 0 ? "" : std::string(name_of(entry.strength)), entry.gradients ? 1 : 0,
          entry.compiled ? 1 : 0, entry.untestable);
}

std::int64_t Ids::op(const std::string& name) {
  return find_or_add("o" + name, "INSERT OR IGNORE INTO op (name, family) VALUES (?, '')", "SELECT id FROM op WHERE name = ?", name);
}

std::int64_t Ids::cell(const Record& record) {
  const std::string dtype(name_of(record.dtype)), path(name_of(record.path));
  return find_or_add("c" + record.op + '\n' + dtype + '\n' + path, "INSERT OR IGNORE INTO cell (op, dtype, path) VALUES (?, ?, ?)",
                     "SELECT id FROM cell WHERE op = ? AND dtype = ? AND path = ?", op(record.op), dtype, path);
}

std::int64_t Ids::row(const Record& record) {
  const std::string name = record.position.row.empty() ? "case:" + record.case_id : record.position.row;
  return find_or_add("r" + name, "INSERT OR IGNORE INTO catalogue_row (name) VALUES (?)", "SELECT id FROM catalogue_row WHERE name = ?", name);
}

std::optional<std::int64_t> Ids::cause(const std::string& words) {
  if (words.empty()) return std::nullopt;
  return find_or_add("u" + words, "INSERT OR IGNORE INTO cause (text) VALUES (?)", "SELECT id FROM cause WHERE text = ?", words);
}

std::optional<std::int64_t> Ids::test_case(const Record& record) {
  if (record.case_json.empty() || record.case_id.empty()) return std::nullopt;
  execute(database_, "INSERT OR IGNORE INTO test_case (case_id, json, input_classes) VALUES (?, ?, ?)", record.case_id, record.case_json,
          record.input_classes.empty() ? "" : dump(record.input_classes));
  return integer(database_, "SELECT id FROM test_case WHERE case_id = ?", record.case_id);
}

}  // namespace neuroncheck
