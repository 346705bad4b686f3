// Rows of cases that were captured elsewhere (generators/ready_cases.h).
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "db/catalogue_entry.h"

namespace neuroncheck {

// The list that the rows of a source are counted by, beside the lists of operators; empty where the family is no source.
std::string_view list_of_source(std::string_view family);

// The rows of folders, as part of the catalogue of this process.
void add_ready_rows(const std::vector<std::filesystem::path>& folders);

// What has no row, with the reason.
std::vector<CatalogueEntry> not_captured(const std::vector<std::filesystem::path>& folders);

}  // namespace neuroncheck
