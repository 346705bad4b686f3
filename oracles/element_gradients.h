// Derivatives of the activations over pairs: x0 is the gradient of the output, x1 the input unless said otherwise. No torch.
// Where x1 is NaN, torch's own CPU kernels of the gated ones answer 0 in a vector and the gradient in its tail: any answer is legal.
#pragma once

#include "oracles/element_functions.h"

namespace neuroncheck::oracles::functions {

Pair threshold_backward(const Pair* x, const Element& element);  // parameter: threshold
Pair sigmoid_backward(const Pair* x, const Element& element);    // x1: output
Pair silu_backward(const Pair* x, const Element& element);
Pair tanh_backward(const Pair* x, const Element& element);           // x1: output
Pair gelu_backward(const Pair* x, const Element& element);           // parameter[0] != 0: the tanh form
Pair elu_backward(const Pair* x, const Element& element);            // parameters: alpha, scale, input_scale
Pair elu_backward_of_result(const Pair* x, const Element& element);  // x1: output
Pair hardshrink_backward(const Pair* x, const Element& element);     // also softshrink's; parameter: lambd
Pair hardtanh_backward(const Pair* x, const Element& element);       // parameters: min_val, max_val
Pair hardsigmoid_backward(const Pair* x, const Element& element);
Pair hardswish_backward(const Pair* x, const Element& element);
Pair leaky_relu_backward(const Pair* x, const Element& element);   // parameter: negative_slope
Pair softplus_backward(const Pair* x, const Element& element);     // parameters: beta, threshold
Pair log_sigmoid_backward(const Pair* x, const Element& element);  // x2: exp(-|x1|)
Pair logit_backward(const Pair* x, const Element& element);        // parameter: eps, negative for none
Pair prelu_backward_self(const Pair* x, const Element& element);   // x2: weight
Pair prelu_backward_weight(const Pair* x, const Element& element);
Pair glu_backward_first(const Pair* x, const Element& element);  // x1: the first half, x2: the second
Pair glu_backward_second(const Pair* x, const Element& element);
Pair dropout_backward(const Pair* x, const Element& element);  // x1: mask, parameter: scale

}  // namespace neuroncheck::oracles::functions
