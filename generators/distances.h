// Recipes of distances between rows.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (x1, x2, p, compute_mode or None) and (grad, x1, x2, p, cdist).
Recipe cdist();
Recipe cdist_backward();
// (self, p) and (grad, self, p, pdist).
Recipe pdist();
Recipe pdist_backward();

}  // namespace neuroncheck::generators
