#include "generators/elementwise.h"
#include "generators/gradients.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::arguments, generators::Form, generators::gelu, generators::moderate, generators::numbers, generators::unary, generators::unary_with;
using enum Trait;

std::vector<Row> activation_rows() {
  return rows_of(
      "activations",
      {
          {"relu", numerics(), unary(numbers), {differentiable}},
          {"relu_", numerics(), unary(numbers, Form::in_place), {in_place}},
          {"sigmoid", floats(), unary(numbers), {differentiable}},
          {"sigmoid_", floats(), unary(numbers, Form::in_place), {in_place}},
          {"gelu", floats(), gelu(), {differentiable}},
          {"silu", floats(), unary(moderate), {differentiable}},
          {"relu.out", numerics(), unary(numbers, Form::out), {out}},
          {"sigmoid.out", floats(), unary(numbers, Form::out), {out}},
          {"gelu_", floats(), gelu(Form::in_place), {in_place}},
          {"gelu.out", floats(), gelu(Form::out), {out}},
          {"silu_", floats(), unary(moderate, Form::in_place), {in_place}},
          {"silu.out", floats(), unary(moderate, Form::out), {out}},
          {"hardtanh", floats(), unary_with(numbers, {arguments(-1.0, 1.0), arguments(0.0, 6.0)}), {differentiable}},
          {"hardshrink", floats(), unary_with(numbers, {arguments(0.5), arguments(2.0)}), {differentiable}},
          {"softshrink", floats(), unary_with(numbers, {arguments(0.5), arguments(2.0)}), {differentiable}},
          {"threshold", numerics(), unary_with(numbers, {arguments(1, 3), arguments(0, 0)}), {differentiable}},
          {"threshold.out", numerics(), unary_with(numbers, {arguments(1, 3), arguments(0, 0)}, Form::out), {out}},
          {"leaky_relu", floats(), unary_with(numbers, {arguments(0.25), arguments(0.01)}), {differentiable}},
          {"elu", floats(), unary_with(moderate, {arguments(1.0, 1, 1), arguments(0.5, 1, 1), arguments(1.0, 2.0, 0.5)}), {differentiable}},
          {"softplus", floats(), unary_with(moderate, {arguments(1, 20), arguments(2.0, 4.0), arguments(0.5, 1)}), {differentiable}},
          {"softplus.out", floats(), unary_with(moderate, {arguments(1, 20), arguments(2.0, 4.0)}, Form::out), {out}},
          {"mish", floats(), unary(moderate), {differentiable}},
          {"hardswish", floats(), unary(numbers), {differentiable}},
          {"hardsigmoid", floats(), unary(numbers), {differentiable}},
          {"log_sigmoid_forward", floats(), unary(moderate), {differentiable}},
          {"logit",
           floats(),
           unary_with(generators::probabilities, {arguments(generators::none()), arguments(0.125), arguments(0.0)}),
           {differentiable}},
          {"glu", floats(), generators::glu(), {differentiable}},
          {"_prelu_kernel", floats(), generators::prelu()},
          {"celu", floats(), unary_with(moderate, {arguments(1.0), arguments(2.0), arguments(0.5)}), {differentiable}},
      });
}

}  // namespace neuroncheck
