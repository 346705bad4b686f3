// Recipes of convolutions.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

Recipe convolution();
// Volumes; and transposed ones that add output padding, of one to three dimensions.
Recipe convolution_of_volumes();
Recipe transposed_convolution();
// (grad, input, weight, bias_sizes, ..., output_mask): all gradients that there are.
Recipe convolution_gradient();

}  // namespace neuroncheck::generators
