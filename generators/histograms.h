// Recipes of what counts by bins. Samples are finite; edges ascend.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (self, bins, min, max).
Recipe histc(Form form = Form::functional);
// (self, bins, range, weight, density) of flat samples: bins are a number, or edges.
Recipe histogram();
Recipe histogram_by_edges();
// The same of rows, with as many numbers of bins or lists of edges as columns; returns edges, or cells.
enum class Returns : std::uint8_t { cells, edges };
Recipe histogram_of_rows(Returns returns);
Recipe histogram_of_rows_by_edges();

}  // namespace neuroncheck::generators
