// Recipes of convolutions and poolings.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

Recipe convolution();
Recipe average_pool();
Recipe max_pool();

}  // namespace neuroncheck::generators
