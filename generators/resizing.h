// Recipes of resizing images by ratios that every format holds (a/1, a/2, a/4), so that no coordinate and no weight is rounded.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

enum class Resize : std::uint8_t { nearest, linear };  // linear ones (bicubic and antialiased as well) take align_corners

// (self, output_size, [align_corners], scales...), scales missing or those of the sizes.
Recipe resize(int dimensions, Resize resize);
// (grad, output_size, input_size, [align_corners], scales...).
Recipe resize_gradient(int dimensions, Resize resize);
// (input, output_size or none, [align_corners], scale_factors or none).
Recipe resize_by_vector(Resize resize);

}  // namespace neuroncheck::generators
