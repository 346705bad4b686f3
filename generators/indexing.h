// Recipes of what indexes, masks and orders. Indices are always in range.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

Recipe index_select(Form form = Form::functional);
Recipe gather();
Recipe scatter_add(Form form = Form::functional);
// index.Tensor by one or two index tensors, with dimensions left alone before them; no masks: their result's size depends on the values.
Recipe index_tensors();
Recipe embedding();
Recipe masked_fill(Form form = Form::functional);
Recipe topk();
// (self, dim, descending).
Recipe sort();
// (self, stable=true, dim, descending).
Recipe stable_sort();

}  // namespace neuroncheck::generators
