#include "generators/ordering.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::Counts, generators::Form;
using enum Trait;

std::vector<Row> ordering_rows() {
  return rows_of("ordering", {
                                 {"sort.values", everything(), generators::sort(Form::out), {out}},
                                 {"sort.values_stable", everything(), generators::stable_sort(Form::out), {out}},
                                 {"argsort.stable", everything(), generators::stable_argsort()},
                                 {"topk.values", numerics(), generators::topk(Form::out), {out}},
                                 {"bucketize.Tensor", numerics(), generators::bucketize()},
                                 {"searchsorted.Tensor", numerics(), generators::searchsorted()},
                                 {"isin.Tensor_Tensor", numerics(), generators::isin()},
                                 {"unique_consecutive", everything(), generators::unique_consecutive()},
                                 {"_unique", everything(), generators::unique(Counts::none)},
                                 {"_unique2", everything(), generators::unique(Counts::drawn)},
                                 {"bincount", without(integers(), {Dtype::bool_}), generators::bincount()},
                                 {"bincount/weighted", {Dtype::float32, Dtype::float64}, generators::weighted_bincount()},
                             });
}

}  // namespace neuroncheck
