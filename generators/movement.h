// Recipes of what only moves values.
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
// (self, source): source in the dtype and sizes of self; broadcasting, often from another dtype.
Recipe copy(Form form = Form::functional);
// A change of dtype, of memory format, or neither.
Recipe to_copy();
Recipe constant_pad();

}  // namespace neuroncheck::generators
