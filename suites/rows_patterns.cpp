#include "generators/patterns.h"
#include "suites/rows.h"

namespace neuroncheck {

using enum Trait;

std::vector<Row> pattern_rows() {
  // Casts need a narrower format than the row's.
  const Dtypes wide = {Dtype::float32, Dtype::float64};
  return rows_of("pattern", {
                                {"pattern/add_mul_sum", floats(), generators::add_mul_sum(), {pattern, differentiable}},
                                {"pattern/mul_relu_mean", floats(), generators::mul_relu_mean(), {pattern, differentiable}},
                                {"pattern/matmul_bias_gelu", floats(), generators::matmul_bias_gelu(), {pattern, differentiable}},
                                {"pattern/matmul_scale_softmax", floats(), generators::matmul_scale_softmax(), {pattern, differentiable}},
                                {"pattern/where_compare", everything(), generators::where_compare(), {pattern}},
                                {"pattern/exp_sum_log", floats(), generators::exp_sum_log(), {pattern, differentiable}},
                                {"pattern/norm_scale", floats(), generators::norm_scale(), {pattern, differentiable}},
                                {"pattern/cast_down_up", wide, generators::cast_down_up(), {pattern, differentiable}},
                                {"pattern/cast_mul_cast", wide, generators::cast_mul_cast(), {pattern, differentiable}},
                                {"pattern/permute_mul_sum", floats(), generators::permute_mul_sum(), {pattern, differentiable}},
                                {"pattern/embedding_sum", floats(), generators::embedding_sum(), {pattern, differentiable}},
                                {"pattern/write_through_view", floats(), generators::write_through_view(), {pattern, in_place}},
                            });
}

}  // namespace neuroncheck
