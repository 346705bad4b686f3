#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> padding_rows() { return rows_of("padding", {}); }

}  // namespace neuroncheck
