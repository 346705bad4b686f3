#include "generators/bags.h"
#include "generators/scatter.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::Form, generators::Source;
using enum Trait;

std::vector<Row> scatter_rows() {
  return rows_of("indexing", {
                                 {"index_add", everything(), generators::index_add(), {differentiable}},
                                 {"index_add_", numerics(), generators::index_add(Form::in_place), {in_place}},
                                 {"index_add.out", numerics(), generators::index_add(Form::out), {out}},
                                 {"index_copy", everything(), generators::index_copy(), {differentiable}},
                                 {"index_copy_", everything(), generators::index_copy(Form::in_place), {in_place}},
                                 {"index_copy.out", everything(), generators::index_copy(Form::out), {out}},
                                 {"index_fill.int_Scalar", everything(), generators::index_fill(Source::scalar), {differentiable}},
                                 {"index_fill.int_Tensor", everything(), generators::index_fill(Source::tensor), {differentiable}},
                                 {"index_put", everything(), generators::index_put(), {differentiable}},
                                 {"_index_put_impl_", everything(), generators::index_put(Form::in_place), {in_place}},
                                 {"put", everything(), generators::put(), {differentiable}},
                                 {"scatter.src", everything(), generators::scatter(), {differentiable}},
                                 {"scatter.src_out", everything(), generators::scatter(Form::out), {out}},
                                 {"scatter.value", everything(), generators::scatter_value(), {differentiable}},
                                 {"scatter_.value", everything(), generators::scatter_value(Form::in_place), {in_place}},
                                 {"scatter.value_out", everything(), generators::scatter_value(Form::out), {out}},
                                 {"scatter_add.out", numerics(), generators::scatter_add(Form::out), {out}},
                                 {"scatter.reduce", everything(), generators::scatter_combined(Source::tensor)},
                                 {"scatter.reduce_out", everything(), generators::scatter_combined(Source::tensor, Form::out), {out}},
                                 {"scatter.value_reduce", everything(), generators::scatter_combined(Source::scalar)},
                                 {"scatter.value_reduce_out", everything(), generators::scatter_combined(Source::scalar, Form::out), {out}},
                                 {"scatter_reduce.two", everything(), generators::scatter_reduce(), {differentiable}},
                                 {"index_reduce", numerics(), generators::index_reduce(), {differentiable}},
                                 {"segment_reduce", floats(), generators::segment_reduce()},
                                 {"_segment_reduce_backward", floats(), generators::segment_reduce_backward(), {estimated}},
                                 {"_embedding_bag", floats(), generators::embedding_bag()},
                                 {"_embedding_bag_backward", floats(), generators::embedding_bag_backward()},
                                 {"_embedding_bag_per_sample_weights_backward", floats(), generators::embedding_bag_weights_backward()},
                             });
}

}  // namespace neuroncheck
