// Rows of cases that were captured elsewhere (generators/ready_cases.h).
#pragma once

#include <filesystem>
#include <vector>

#include "db/catalogue_entry.h"

namespace neuroncheck {

// The lists that they are counted by, beside the lists of operators: OpInfos; operators without a row of the tree.
constexpr std::string_view kSampleList = "opinfo_samples", kSchemaList = "schema";

// The rows of folders, as part of the catalogue of this process.
void add_ready_rows(const std::vector<std::filesystem::path>& folders);

// What has no row, with the reason.
std::vector<CatalogueEntry> not_captured(const std::vector<std::filesystem::path>& folders);

}  // namespace neuroncheck
