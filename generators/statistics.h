// Recipes of reductions to one number, order statistics, norms and scans beyond cumsum.
#pragma once

#include "generators/forms.h"
#include "generators/reduced.h"

namespace neuroncheck::generators {

// (self): max, median, all. `made` is the dtype of the result.
Recipe whole(FillsOf fills, OnEmpty on_empty, Made made = same, Form form = Form::functional);
// (self, dtype): sum, mean; the dtype is now and then a wider one.
Recipe whole_typed(FillsOf fills, Form form = Form::functional);
Recipe whole_product();
// (self, dim[] or None, keepdim): all.dims, any.dims.
Recipe truth_over_dims(Form form = Form::functional);
// (self, dim or None) and (self, dim[]): count_nonzero.
Recipe count_along();
Recipe count_over_dims();
// (self, dim, keepdim): median; with k: kthvalue.
Recipe median_along(FillsOf fills);
Recipe kth(FillsOf fills);
// (self, dim, keepdim) of rows with one most frequent value: mode.
Recipe mode();
// (self, dim[], unbiased, keepdim): var.dim.
Recipe variance_unbiased();
// (self, other, p), (self, p, dim[], keepdim), (self, ord, dim[], keepdim, dtype).
Recipe distance();
Recipe norm_over_dims();
Recipe vector_norm(Form form = Form::functional);
Recipe renorm();
// A matrix's trace.
Recipe trace();
// Values without equals: gradients of a selection have one place to go.
Fills all_different(Dtype dtype);
// (self, dim) with `outputs` outputs: cummax, logcumsumexp.
Recipe scan_plain(FillsOf fills, int outputs);
Recipe cumulative_product();
// (self, dim, dtype).
Recipe safe_softmax();

}  // namespace neuroncheck::generators
