// Recipes of reductions, scans and softmaxes.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (self, dim[], keepdim, dtype=None): sum, mean. Empty tensors reduce to the identity.
Recipe reduce_dims_typed(FillsOf fills, Form form = Form::functional);
// (self, dim[], keepdim): logsumexp, amax. No identity: empty tensors are reduced along other dimensions.
Recipe reduce_dims(FillsOf fills, Form form = Form::functional);
// (self, dim, keepdim, dtype=None): prod.
Recipe product();
// (self, dim, keepdim) with `outputs` outputs, no identity: max.dim, argmax.
Recipe reduce_one(int outputs, Form form = Form::functional);
// The same, now and then over everything: (self, dim or None, keepdim): argmax, and aminmax with its two outputs.
Recipe reduce_one_or_all(int outputs = 1);
// (self, dim, keepdim): any, all.
Recipe any(Form form = Form::functional);
// (self, dim, dtype=None): cumsum.
Recipe scan(Form form = Form::functional);
// (self, dim[], correction, keepdim): var and std, with their mean as a second output.
Recipe variance(int outputs = 1);
// (self, dim, half_to_float=false): _softmax, _log_softmax.
Recipe softmax(Form form = Form::functional);
// The same over a symbol, with two sizes in turn.
Recipe softmax_trajectory();
Recipe sum_trajectory();

}  // namespace neuroncheck::generators
