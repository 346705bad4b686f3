// A suite: which rows, and how many cases of each. Data: suites/<name>.json, or any file of that form.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "suites/row.h"

namespace neuroncheck {

// Sources of rows beside the catalogue (suites/ready_sources.h): the samples of the installed torch; operators without a row, by their schemas.
constexpr std::string_view kOpInfo = "opinfo", kSchema = "schema";

struct Suite {
  std::string name;
  std::vector<std::string> rows = {"*"};  // globs over row names
  std::vector<std::string> sources;       // of rows beside the catalogue's: opinfo, schema
  std::int64_t cases = 0;                 // per row
  int keys = 8;                           // compile keys per row and dtype
  int compiled_keys = 8;                  // how many of them are compiled too; 0: one of every third dtype
  std::uint64_t seed = 0;                 // of the frozen lane

  bool operator==(const Suite&) const = default;
};

// A name is looked up in `folder`; what holds a '/' or ends in ".json" is a file. Throws UserError: unknown suite, key or source.
Suite load_suite(const std::string& name_or_file, const std::filesystem::path& folder);

// The suite's rows, in the order of the catalogue. Throws UserError for a glob that matches none.
std::vector<const Row*> rows_of(const Suite& suite);

}  // namespace neuroncheck
