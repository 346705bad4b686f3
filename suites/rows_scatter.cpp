#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> scatter_rows() { return rows_of("indexing", {}); }

}  // namespace neuroncheck
