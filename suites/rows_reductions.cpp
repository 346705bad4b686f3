#include "generators/normalisation.h"
#include "generators/reductions.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::any, generators::Form, generators::layer_norm, generators::moderate, generators::numbers, generators::ordered, generators::product,
    generators::reduce_dims, generators::reduce_dims_typed, generators::reduce_one, generators::scan, generators::softmax,
    generators::softmax_trajectory, generators::sum_trajectory, generators::variance;
using enum Trait;

std::vector<Row> reduction_rows() {
  return rows_of("reduction", {
                                  {"sum.dim_IntList", everything(), reduce_dims_typed(numbers), {differentiable}},
                                  {"sum.IntList_out", numerics(), reduce_dims_typed(numbers, Form::out), {out}},
                                  {"sum.dim_IntList/trajectory", floats(), sum_trajectory(), {trajectory}},
                                  {"mean.dim", floats(), reduce_dims_typed(moderate), {differentiable}},
                                  {"prod.dim_int", everything(), product(), {differentiable}},
                                  {"amax", everything(), reduce_dims(ordered), {differentiable}},
                                  {"amax.out", numerics(), reduce_dims(ordered, Form::out), {out}},
                                  {"max.dim", everything(), reduce_one(2), {differentiable}},
                                  {"argmax", numerics(), generators::reduce_one_or_all()},
                                  {"any.dim", everything(), any()},
                                  {"cumsum", everything(), scan(), {differentiable}},
                                  {"cumsum.out", numerics(), scan(Form::out), {out}},
                                  {"var.correction", floats(), variance(), {differentiable}},
                                  {"logsumexp", floats(), reduce_dims(moderate), {differentiable}},
                                  {"_softmax", floats(), softmax(), {differentiable}},
                                  {"_softmax.out", floats(), softmax(Form::out), {out}},
                                  {"_softmax/trajectory", floats(), softmax_trajectory(), {trajectory}},
                                  {"_log_softmax", floats(), softmax(), {differentiable}},
                                  {"native_layer_norm", floats(), layer_norm(), {differentiable}},
                              });
}

}  // namespace neuroncheck
