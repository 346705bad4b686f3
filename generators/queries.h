// Recipes of what asks a tensor for a number.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

// (self) of one element.
Recipe one_element();
// (self, dim).
Recipe of_dimension();
// (self, other): about half of them equal.
Recipe same_or_not();

}  // namespace neuroncheck::generators
