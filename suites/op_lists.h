// The operators that coverage is counted against, and what the catalogue has for each.
#pragma once

#include <filesystem>
#include <vector>

#include "db/catalogue_entry.h"
#include "suites/row.h"

namespace neuroncheck {

// Every op of data/aten_ops.tsv (Core ATen, registered by torch-neuronx in April 2026, reached by the OpInfos of torch 2.13 forward or backward) and
// every op of the rows, by name; reasons from data/untestable.tsv. Throws UserError naming file and line: a line that cannot be read, a reason for an
// op that has a row or is on no list. `further` entries come behind.
std::vector<CatalogueEntry> catalogue_entries(const std::vector<Row>& rows, const std::filesystem::path& data,
                                              std::vector<CatalogueEntry> further = {});

}  // namespace neuroncheck
