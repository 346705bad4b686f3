#include "suites/suite.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "harness/json_fields.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

bool selects(const std::string& glob, const Row& row) { return ::fnmatch(glob.c_str(), row.name.c_str(), 0) == 0; }

std::filesystem::path file_of(const std::string& name_or_file, const std::filesystem::path& folder) {
  if (name_or_file.ends_with(".json") || name_or_file.find('/') != std::string::npos) {
    return name_or_file;
  }
  std::filesystem::path file = folder / (name_or_file + ".json");
  if (std::filesystem::exists(file)) {
    return file;
  }
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  std::string known;
  for (const std::string& name : names) {
    known += (known.empty() ? "" : ", ") + name;
  }
  throw UserError(fmt::format("--suite {}: unknown; one of {}, or a JSON file", name_or_file, known));
}

void check(const Suite& suite) {
  if (suite.cases < 1) throw UserError("suite: key 'cases': at least 1 is needed");
  if (suite.keys < 1) throw UserError("suite: key 'keys': at least 1 is needed");
  for (const std::string& source : suite.sources) {
    if (source == kOpInfo || source == kSchema) continue;
    throw UserError(fmt::format("suite: key 'sources': '{}' is unknown: one of {}, {}", source, kOpInfo, kSchema));
  }
}

Suite read_suite(const nlohmann::json& json) {
  Suite suite;
  JsonFields fields(json, "suite");
  fields.required("name", suite.name);
  fields.optional("rows", suite.rows);
  fields.optional("sources", suite.sources);
  fields.required("cases", suite.cases);
  fields.optional("keys", suite.keys);
  suite.compiled_keys = suite.keys;
  fields.optional("compiled_keys", suite.compiled_keys);
  fields.optional("seed", suite.seed);
  fields.done();
  check(suite);
  return suite;
}

}  // namespace

Suite load_suite(const std::string& name_or_file, const std::filesystem::path& folder) {
  return read_file(file_of(name_or_file, folder), read_suite);
}

std::vector<const Row*> rows_of(const Suite& suite) {
  std::set<std::string> unused(suite.rows.begin(), suite.rows.end());
  std::vector<const Row*> rows;
  for (const Row& row : catalogue()) {
    bool selected = false;
    for (const std::string& glob : suite.rows) {
      if (!selects(glob, row)) continue;
      selected = true;
      unused.erase(glob);
    }
    if (selected) rows.push_back(&row);
  }
  if (!unused.empty()) throw UserError(fmt::format("suite: key 'rows': '{}' matches no row; `neuroncheck ops` lists them", *unused.begin()));
  return rows;
}

}  // namespace neuroncheck
