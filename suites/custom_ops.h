// Operators that users bring in a JSON file outside the tree: rows of the catalogue like any other, with a reference in Python.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suites/row.h"

namespace neuroncheck {

// What the worker needs to know of one beside its row.
struct CustomOpLine {
  Row row;                // named as the op
  std::string reference;  // "module.function" of float64 tensors; empty: what the reference makes of it by itself
  std::string bound;      // "module.function", likewise; empty: estimated
  std::string profile;    // name or file; empty: the target's
};

struct CustomOps {
  std::vector<std::string> imports;  // modules that register the operators; looked for beside the file, too
  std::vector<CustomOpLine> ops;
};

// Throws UserError naming file, op and key.
CustomOps load_custom_ops(const std::filesystem::path& file);

// The text of the file and of the modules beside it that it names: what a run's cases, and their references, come from.
std::string custom_sources(const std::filesystem::path& file, const CustomOps& custom);

// The rows alone, as part of the catalogue of this process; nothing for an empty path.
void add_custom_rows(const std::filesystem::path& file);

}  // namespace neuroncheck
