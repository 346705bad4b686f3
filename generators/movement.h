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
// self.copy_(source): broadcasting, often from another dtype.
Recipe copy();
// copy(self, source): a copy of source in the dtype and sizes of self.
Recipe copy_functional();
// A change of dtype, of memory format, or neither.
Recipe to_copy();
Recipe constant_pad();

}  // namespace neuroncheck::generators
