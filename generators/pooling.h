// Recipes of poolings over one, two or three dimensions, and of their derivatives as ops.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

Recipe average_pool(int dimensions);
Recipe average_pool_gradient(int dimensions);
Recipe max_pool(int dimensions);
// (grad, self, ..., indices), the indices made by the forward op.
Recipe max_pool_gradient(int dimensions);
// (self, output_size).
Recipe adaptive_average_pool(int dimensions);
Recipe adaptive_max_pool(int dimensions);
// (grad, self) and (grad, self, indices).
Recipe adaptive_average_pool_gradient(int dimensions);
Recipe adaptive_max_pool_gradient(int dimensions);
// (self, indices, output_size), for volumes also (stride, padding); the indices are those of a max pooling whose windows touch.
Recipe max_unpool(int dimensions);
// (self, kernel_size, output_size, random_samples) and (grad, self, kernel_size, output_size, indices).
Recipe fractional_max_pool(int dimensions);
Recipe fractional_max_pool_gradient(int dimensions);

}  // namespace neuroncheck::generators
