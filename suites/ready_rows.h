// Rows of cases that were captured elsewhere (generators/ready_cases.h).
#pragma once

#include <filesystem>
#include <vector>

#include "db/catalogue_entry.h"

namespace neuroncheck {

// The list that OpInfos are on, beside the lists of operators.
constexpr std::string_view kSampleList = "opinfo_samples";

// The rows of a folder, as part of the catalogue of this process; nothing for an empty path.
void add_ready_rows(const std::filesystem::path& folder);

// What has no row, with the reason; none for an empty path.
std::vector<CatalogueEntry> not_captured(const std::filesystem::path& folder);

}  // namespace neuroncheck
