#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> ordering_rows() { return rows_of("ordering", {}); }

}  // namespace neuroncheck
