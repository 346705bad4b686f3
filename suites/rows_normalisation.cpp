#include "suites/rows.h"

namespace neuroncheck {

std::vector<Row> normalisation_rows() { return rows_of("normalisation", {}); }

}  // namespace neuroncheck
