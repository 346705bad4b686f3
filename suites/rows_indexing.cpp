#include "generators/indexing.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::Form;
using enum Trait;

std::vector<Row> indexing_rows() {
  return rows_of("indexing", {
                                 {"index_select", everything(), generators::index_select(), {differentiable}},
                                 {"index_select.out", numerics(), generators::index_select(Form::out), {out}},
                                 {"gather", everything(), generators::gather(), {differentiable}},
                                 {"scatter_add", numerics(), generators::scatter_add(), {differentiable}},
                                 {"scatter_add_", numerics(), generators::scatter_add(Form::in_place), {in_place}},
                                 {"index.Tensor", everything(), generators::index_tensors(), {differentiable}},
                                 {"embedding", floats(), generators::embedding(), {differentiable}},
                                 {"masked_fill.Scalar", everything(), generators::masked_fill(), {differentiable}},
                                 {"masked_fill_.Scalar", everything(), generators::masked_fill(Form::in_place), {in_place}},
                                 {"topk", numerics(), generators::topk(), {differentiable}},
                                 {"sort", everything(), generators::sort(), {differentiable}},
                                 {"sort.stable", everything(), generators::stable_sort(), {differentiable}},
                             });
}

}  // namespace neuroncheck
