// Recipes of what writes to indexed places. Where the last writer would win, no place is written twice.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (self, dim, index, source, alpha): index_add.
Recipe index_add(Form form = Form::functional);
// (self, dim, index, source): index_copy.
Recipe index_copy(Form form = Form::functional);
// (self, dim, index, value), the value a scalar or a 0-dim tensor.
enum class Source : std::uint8_t { scalar, tensor };
Recipe index_fill(Source value);
// (self, indices, values, accumulate): index tensors, or a mask and one value.
Recipe index_put(Form form = Form::functional);
// (self, index, source, accumulate), flat positions.
Recipe put();

// (self, dim, index, src) and (self, dim, index, value).
Recipe scatter(Form form = Form::functional);
Recipe scatter_value(Form form = Form::functional);
Recipe scatter_add(Form form = Form::functional);
// With reduce: add, multiply.
Recipe scatter_combined(Source source, Form form = Form::functional);
// (self, dim, index, src, reduce, include_self): scatter_reduce.two, and index_reduce, which takes no sum.
Recipe scatter_reduce();
Recipe index_reduce();
// (data, reduce, lengths, indices, offsets, axis, unsafe, initial).
Recipe segment_reduce();
// (grad, output, data, reduce, lengths, offsets, axis, initial), of such a reduction.
Recipe segment_reduce_backward();

}  // namespace neuroncheck::generators
