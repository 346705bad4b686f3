#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> losses_rows() { return rows_of("loss", {}); }

}  // namespace neuroncheck
