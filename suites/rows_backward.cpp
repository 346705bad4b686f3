#include "generators/elementwise.h"
#include "generators/gradients.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::arguments, generators::dropout_gradient, generators::elu_gradient, generators::Form, generators::gelu_gradient,
    generators::glu_gradient, generators::gradient, generators::log_sigmoid_gradient, generators::moderate, generators::none, generators::numbers,
    generators::prelu_gradient, generators::probabilities, generators::rrelu_gradient;
using enum Trait;

// Derivatives of pointwise ops, called as ops.
std::vector<Row> backward_rows() {
  const std::vector<ArgumentList> limits = {arguments(-1.0, 1.0), arguments(0.0, 6.0)}, softplus = {arguments(1, 20), arguments(2.0, 4.0)};
  const std::vector<ArgumentList> shrink = {arguments(0.5), arguments(2.0)}, threshold = {arguments(1), arguments(0)};
  const std::vector<ArgumentList> slope = {arguments(0.25, false), arguments(0.01, false)};
  return rows_of("backward", {
                                 {"sigmoid_backward", floats(), gradient(probabilities)},
                                 {"sigmoid_backward.grad_input", floats(), gradient(probabilities, {{}}, Form::out), {out}},
                                 {"tanh_backward", floats(), gradient(probabilities)},
                                 {"gelu_backward", floats(), gelu_gradient()},
                                 {"gelu_backward.grad_input", floats(), gelu_gradient(Form::out), {out}},
                                 {"silu_backward", floats(), gradient(moderate)},
                                 {"threshold_backward", numerics(), gradient(numbers, threshold)},
                                 {"threshold_backward.grad_input", numerics(), gradient(numbers, threshold, Form::out), {out}},
                                 {"elu_backward", floats(), elu_gradient()},
                                 {"hardshrink_backward", floats(), gradient(numbers, shrink)},
                                 {"softshrink_backward", floats(), gradient(numbers, shrink)},
                                 {"hardsigmoid_backward", floats(), gradient(numbers)},
                                 {"hardswish_backward", floats(), gradient(numbers)},
                                 {"hardtanh_backward", floats(), gradient(numbers, limits)},
                                 {"leaky_relu_backward", floats(), gradient(numbers, slope)},
                                 {"log_sigmoid_backward", floats(), log_sigmoid_gradient()},
                                 {"logit_backward", floats(), gradient(probabilities, {arguments(none()), arguments(0.125), arguments(0.0)})},
                                 {"mish_backward", floats(), gradient(moderate)},
                                 {"softplus_backward", floats(), gradient(moderate, softplus)},
                                 {"softplus_backward.grad_input", floats(), gradient(moderate, softplus, Form::out), {out}},
                                 {"glu_backward", floats(), glu_gradient()},
                                 {"_prelu_kernel_backward", floats(), prelu_gradient()},
                                 {"rrelu_with_noise_backward", floats(), rrelu_gradient()},
                                 {"native_dropout_backward", floats(), dropout_gradient()},
                             });
}

}  // namespace neuroncheck
