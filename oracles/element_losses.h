// Losses of one element over pairs, before their reduction, and their derivatives. No torch.
#pragma once

#include "oracles/element_functions.h"

namespace neuroncheck::oracles::functions {

// x0: input, x1: target.
Pair squared_difference(const Pair* x, const Element& element);
Pair smooth_l1(const Pair* x, const Element& element);  // parameter: beta
Pair huber(const Pair* x, const Element& element);      // parameter: delta
Pair binary_cross_entropy(const Pair* x, const Element& element);
Pair weighted_binary_cross_entropy(const Pair* x, const Element& element);  // x2: weight

// x0: gradient of the output, x1: input, x2: target, parameter[1]: what a mean divides by, parameter[0] as above.
Pair squared_difference_backward(const Pair* x, const Element& element);
Pair smooth_l1_backward(const Pair* x, const Element& element);
Pair huber_backward(const Pair* x, const Element& element);
Pair binary_cross_entropy_backward(const Pair* x, const Element& element);
Pair weighted_binary_cross_entropy_backward(const Pair* x, const Element& element);  // x3: weight

}  // namespace neuroncheck::oracles::functions
