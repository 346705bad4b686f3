// Recipes of what indexes and masks. Indices are always in range.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

Recipe index_select(Form form = Form::functional);
Recipe gather(Form form = Form::functional);
// Flat positions.
Recipe take();
// index.Tensor by one or two index tensors, with dimensions left alone before them; no masks: their result's size depends on the values.
Recipe index_tensors(Form form = Form::functional);
Recipe embedding();
Recipe masked_fill(Form form = Form::functional);
// Sizes of results depend on the mask, as those of nonzero on its values.
Recipe masked_select(Form form = Form::functional);
Recipe nonzero(Form form = Form::functional);
// (self, size, fill_value).
Recipe nonzero_static(Form form = Form::functional);
Recipe masked_scatter();

// (grad, mask, sizes), (grad, self_sizes, dim, index), (grad, indices, num_weights, padding_idx, scale_grad_by_freq).
Recipe masked_scatter_backward();
Recipe index_select_backward();
Recipe embedding_dense_backward(Form form = Form::functional);

// (self, mask, indices, fill) and (self, mask, indices, values).
Recipe unsafe_masked_index();
Recipe unsafe_masked_index_put();

}  // namespace neuroncheck::generators
