#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> random_rows() { return rows_of("random", {}); }

}  // namespace neuroncheck
