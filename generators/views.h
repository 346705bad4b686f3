// Recipes of views and of the copies that bear their names: each takes the arguments of its family after `self`.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// Ops of a tensor alone: alias, detach, squeeze; a third of the dimensions are 1. `t` takes at most two dimensions.
Recipe whole(int max_rank = 4);
// clone, contiguous: with or without a memory format; contiguous knows no preserve_format.
Recipe clone();
Recipe contiguous();
// (dim)
Recipe squeeze_dim(Form form = Form::functional);
Recipe squeeze_dims();
Recipe unsqueeze(Form form = Form::functional);
// (source): what self held is gone.
Recipe set_to_source();
// (dim0, dim1)
Recipe transpose(Form form = Form::functional);
// (dim, index)
Recipe select();
// (dim, start, length)
Recipe narrow();
// (split_size, dim), (split_sizes, dim), (dim): all pieces are outputs.
Recipe split();
Recipe split_with_sizes();
Recipe unbind();
// (dimension, size, step)
Recipe unfold();
// (offset, dim1, dim2)
Recipe diagonal();
// (size, stride, storage_offset) of a contiguous tensor: overlapping now and then.
Recipe as_strided();
// (size, stride): those of the tensor with a dimension of size 1 more, or less.
Recipe reshape_alias();

}  // namespace neuroncheck::generators
