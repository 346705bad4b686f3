#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> lists_rows() { return rows_of("lists", {}); }

}  // namespace neuroncheck
