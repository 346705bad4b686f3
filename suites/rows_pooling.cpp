#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> pooling_rows() { return rows_of("pooling", {}); }

}  // namespace neuroncheck
