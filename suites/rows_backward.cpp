#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> backward_rows() { return rows_of("backward", {}); }

}  // namespace neuroncheck
