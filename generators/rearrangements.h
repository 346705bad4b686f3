// Recipes of ops that put elements in another order, in other places, or into other tensors.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

Recipe flip(Form form = Form::functional);
Recipe roll();
Recipe rot90();
Recipe repeat();
Recipe triangle(Form form = Form::functional);  // tril, triu
Recipe stack(Form form = Form::functional);
Recipe block_diag();
Recipe chunk_cat();
Recipe pixel_shuffle();
Recipe pixel_unshuffle();
Recipe channel_shuffle();
Recipe diag_embed();

// (self, src, ...): self with src in the place of a view.
Recipe select_scatter();
Recipe slice_scatter();
Recipe diagonal_scatter();
Recipe as_strided_scatter();

// (grad_output, input_sizes, ...): grad_output in its place among zeros; of unfold, added where windows overlap.
Recipe select_backward();
Recipe slice_backward();
Recipe diagonal_backward();
Recipe unfold_backward();
Recipe value_selecting_backward();

// Integers from integers.
Recipe repeat_interleave();
Recipe one_hot();

}  // namespace neuroncheck::generators
