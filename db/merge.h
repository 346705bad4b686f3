// Shard files into one: any order, any number of times, the same content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "db/database.h"

namespace neuroncheck {

struct MergeResult {
  std::int64_t runs = 0;       // touched
  std::int64_t added = 0;      // results that were not there
  std::int64_t conflicts = 0;  // observations with two different verdicts in the merged file: both are kept (view `conflicts`)
};

// All sources are checked before the first is read: a foreign, newer or missing one is refused by name (UserError) and nothing is changed.
MergeResult merge_databases(Database& into, const std::vector<std::filesystem::path>& sources);

}  // namespace neuroncheck
