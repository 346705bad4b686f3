#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> statistics_rows() { return rows_of("reduction", {}); }

}  // namespace neuroncheck
