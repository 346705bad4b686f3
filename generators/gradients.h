// Recipes of the activations' derivatives as ops, and of activations with more than one tensor.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (grad, self, ...) with one of these lists of further arguments.
Recipe gradient(FillsOf self, std::vector<ArgumentList> further = {{}}, Form form = Form::functional);
Recipe gelu_gradient(Form form = Form::functional);
// (grad, alpha, scale, input_scale, is_result, self or result).
Recipe elu_gradient();
// (grad, self, buffer), the buffer made by log_sigmoid_forward.
Recipe log_sigmoid_gradient();
// (self, weight), and (grad, self, weight).
Recipe prelu();
Recipe prelu_gradient();
// (grad, self, noise, lower, upper, training, self_is_result).
Recipe rrelu_gradient();
// (grad, mask, scale).
Recipe dropout_gradient();
// (self, dim) and (grad, self, dim); the dimension is even.
Recipe glu();
Recipe glu_gradient();
// [0, 1] mostly: the domain of logit.
Fills probabilities(Dtype dtype);

}  // namespace neuroncheck::generators
