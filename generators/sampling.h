// Recipes of sampling images and volumes at the points of a grid.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

// (input, grid, interpolation_mode, padding_mode, align_corners): points inside, on the corners and a little outside.
Recipe grid_sample(int dimensions);
// (grad, input, grid, interpolation_mode, padding_mode, align_corners, output_mask).
Recipe grid_sample_gradient(int dimensions);

}  // namespace neuroncheck::generators
