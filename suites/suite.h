// A suite: which rows, and how many cases of each. Data: suites/<name>.json, or any file of that form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "suites/row.h"

namespace neuroncheck {

struct Suite {
  std::string name;
  std::vector<std::string> rows = {"*"};  // globs over row names
  std::int64_t cases = 0;                 // per row
  int keys = 8;                           // compile keys per row and dtype
  int compiled_keys = 8;                  // how many of them are compiled too; 0: one of every third dtype
  std::uint64_t seed = 0;                 // of the frozen lane

  bool operator==(const Suite&) const = default;
};

// A name is looked up in `folder`; what holds a '/' or ends in ".json" is a file. Throws UserError: unknown suite or key, a glob that matches no row.
Suite load_suite(const std::string& name_or_file, const std::filesystem::path& folder);

// The suite's rows, in the order of the catalogue.
std::vector<const Row*> rows_of(const Suite& suite);

}  // namespace neuroncheck
