#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> creation_rows() { return rows_of("creation", {}); }

}  // namespace neuroncheck
