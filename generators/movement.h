// Recipes of what only moves values, and of factories.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

Recipe view();
Recipe view_trajectory();
Recipe permute();
Recipe slice();
Recipe cat(Form form = Form::functional);
Recipe cat_trajectory();
Recipe expand();
// self.copy_(source): broadcasting, often from another dtype.
Recipe copy();
// A change of dtype, of memory format, or neither.
Recipe to_copy();
Recipe constant_pad();
Recipe arange();
Recipe full();

}  // namespace neuroncheck::generators
