#include "generators/queries.h"
#include "generators/views.h"
#include "suites/rows.h"

namespace neuroncheck {

using enum Trait;

// A number is no tensor of a graph: these have no compiled paths. float64 that a device narrows is equal or not by what it was rounded to: in doubt,
// and a number cannot carry a doubt.
std::vector<Row> query_rows() {
  const Dtypes certain = without(everything(), {Dtype::float64});
  return rows_of("query", {
                              {"equal", certain, generators::same_or_not(), {eager_only}},
                              {"allclose", without(floats(), {Dtype::float64}), generators::same_or_not(), {eager_only}},
                              {"_local_scalar_dense", certain, generators::one_element(), {eager_only}},
                              {"sym_is_contiguous", everything(), generators::whole(), {eager_only}},
                              {"sym_numel", everything(), generators::whole(), {eager_only}},
                              {"sym_size.int", everything(), generators::of_dimension(), {eager_only}},
                              {"sym_storage_offset", everything(), generators::whole(), {eager_only}},
                              {"sym_stride.int", everything(), generators::of_dimension(), {eager_only}},
                          });
}

}  // namespace neuroncheck
