// Programs of two or three nodes: what one op leaves to the next, what a compiler fuses, and what it must not fold away.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

Recipe add_mul_sum();
Recipe mul_relu_mean();
Recipe matmul_bias_gelu();
Recipe matmul_scale_softmax();
Recipe where_compare();
Recipe exp_sum_log();
Recipe norm_scale();
// Down to a narrower format and back: the rounding was written by the user and must be seen.
Recipe cast_down_up();
Recipe cast_mul_cast();
Recipe permute_mul_sum();
Recipe embedding_sum();
// mul_ through a slice: the input behind the view changes.
Recipe write_through_view();

}  // namespace neuroncheck::generators
