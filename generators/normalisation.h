// Recipes of normalisations and of the backward ops of softmax and normalisations.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (grad_output, output, dim, input_dtype); `outputs` are what the forward op may have made.
Recipe softmax_backward(FillsOf outputs, Form form = Form::functional);
Fills shares(Dtype dtype);
Fills log_shares(Dtype dtype);

// (input, normalized_shape, weight or None, bias or None, eps).
Recipe layer_norm(Form form = Form::functional);
// (grad_out, input, normalized_shape, mean, rstd, weight or None, bias or None, output_mask).
Recipe layer_norm_backward(Form form = Form::functional);
// (input, normalized_shape, weight or None, eps or None).
Recipe rms_norm();

// (input, weight, bias, running_mean, running_var, training, momentum, eps), as far as the op has them.
enum class RunningStatistics : std::uint8_t { optional, required, updated, read, none };
Recipe batch_norm(RunningStatistics statistics);
// (grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask), and an empty reserve.
enum class Reserve : std::uint8_t { none, empty };
Recipe batch_norm_backward(Reserve reserve);

// (input, weight or None, bias or None, N, C, HxW, group, eps).
Recipe group_norm();
// (grad_out, input, mean, rstd, weight or None, N, C, HxW, group, output_mask).
Recipe group_norm_backward();

}  // namespace neuroncheck::generators
