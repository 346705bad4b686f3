#include "generators/histograms.h"
#include "generators/ordering.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::Counts, generators::Form, generators::Returns;
using enum Trait;

std::vector<Row> ordering_rows() {
  const Dtypes wide = {Dtype::float32, Dtype::float64};
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
                                 {"histc", floats(), generators::histc()},
                                 {"histc.out", floats(), generators::histc(Form::out), {out}},
                                 {"histogram.bin_ct", wide, generators::histogram()},
                                 {"histogram.bins_tensor", floats(), generators::histogram_by_edges()},
                                 {"_histogramdd_bin_edges", wide, generators::histogram_of_rows(Returns::edges)},
                                 {"_histogramdd_from_bin_cts", wide, generators::histogram_of_rows(Returns::cells)},
                                 {"_histogramdd_from_bin_tensors", floats(), generators::histogram_of_rows_by_edges()},
                             });
}

}  // namespace neuroncheck
