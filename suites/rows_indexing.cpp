#include "generators/indexing.h"
#include "generators/ordering.h"
#include "generators/scatter.h"
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
                                 {"gather.out", everything(), generators::gather(Form::out), {out}},
                                 {"index.Tensor_out", everything(), generators::index_tensors(Form::out), {out}},
                                 {"take", everything(), generators::take(), {differentiable}},
                                 {"masked_select", everything(), generators::masked_select(), {differentiable}},
                                 {"masked_select.out", everything(), generators::masked_select(Form::out), {out}},
                                 {"masked_scatter", everything(), generators::masked_scatter(), {differentiable}},
                                 {"masked_scatter_backward", everything(), generators::masked_scatter_backward(), {differentiable}},
                                 {"index_select_backward", numerics(), generators::index_select_backward(), {differentiable}},
                                 {"embedding_dense_backward", floats(), generators::embedding_dense_backward(), {differentiable}},
                                 {"embedding_dense_backward.out", floats(), generators::embedding_dense_backward(Form::out), {out}},
                                 {"nonzero", everything(), generators::nonzero()},
                                 {"nonzero.out", everything(), generators::nonzero(Form::out), {out}},
                                 {"nonzero_static", everything(), generators::nonzero_static()},
                                 {"nonzero_static.out", everything(), generators::nonzero_static(Form::out), {out}},
                                 {"_unsafe_masked_index", everything(), generators::unsafe_masked_index(), {differentiable}},
                                 {"_unsafe_masked_index_put_accumulate", numerics(), generators::unsafe_masked_index_put(), {differentiable}},
                             });
}

}  // namespace neuroncheck
