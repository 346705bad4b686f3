#include "generators/elementwise.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::binary, generators::binary_alpha, generators::clamp, generators::divide_rounded, generators::divisors, generators::Form,
    generators::gelu, generators::moderate, generators::numbers, generators::ordered, generators::positives, generators::power_scalar,
    generators::unary, generators::where, generators::with_divisor, generators::with_scalar, generators::with_scalar_alpha;
using enum Trait;

std::vector<Row> elementwise_rows() {
  // sub and neg refuse bool; floor_divide and remainder of integers raise on zero divisors, which divisors() leaves out.
  return rows_of("elementwise", {
                                    {"add.Tensor", everything(), binary_alpha(), {differentiable}},
                                    {"add.Scalar", numerics(), with_scalar_alpha(), {differentiable}},
                                    {"add_.Tensor", numerics(), binary_alpha(Form::in_place), {in_place}},
                                    {"add.out", numerics(), binary_alpha(Form::out), {out}},
                                    {"sub.Tensor", numerics(), binary_alpha(), {differentiable}},
                                    {"sub.Scalar", numerics(), with_scalar_alpha(), {differentiable}},
                                    {"sub_.Tensor", numerics(), binary_alpha(Form::in_place), {in_place}},
                                    {"mul.Tensor", everything(), binary(numbers, numbers), {differentiable}},
                                    {"mul.Scalar", numerics(), with_scalar(numbers), {differentiable}},
                                    {"mul_.Tensor", numerics(), binary(numbers, numbers, Form::in_place), {in_place}},
                                    {"mul.out", numerics(), binary(numbers, numbers, Form::out), {out}},
                                    {"div.Tensor", numerics(), binary(numbers, divisors), {differentiable}},
                                    {"div.Tensor_mode", numerics(), divide_rounded()},
                                    {"div.Scalar", numerics(), with_divisor(), {differentiable}},
                                    {"div_.Tensor", floats(), binary(numbers, divisors, Form::in_place), {in_place}},
                                    {"floor_divide", numerics(), binary(numbers, divisors)},
                                    {"remainder.Tensor", numerics(), binary(numbers, divisors)},
                                    {"neg", numerics(), unary(numbers), {differentiable}},
                                    {"neg_", numerics(), unary(numbers, Form::in_place), {in_place}},
                                    {"abs", numerics(), unary(numbers), {differentiable}},
                                    {"relu", numerics(), unary(numbers), {differentiable}},
                                    {"relu_", numerics(), unary(numbers, Form::in_place), {in_place}},
                                    {"clamp", numerics(), clamp(), {differentiable}},
                                    {"clamp_", numerics(), clamp(Form::in_place), {in_place}},
                                    {"minimum", everything(), binary(ordered, ordered), {differentiable}},
                                    {"maximum", everything(), binary(ordered, ordered), {differentiable}},
                                    {"maximum.out", everything(), binary(ordered, ordered, Form::out), {out}},
                                    {"where.self", everything(), where(), {differentiable}},
                                    {"where.self_out", everything(), where(Form::out), {out}},
                                    {"eq.Tensor", everything(), binary(ordered, ordered)},
                                    {"eq.Scalar", everything(), with_scalar(ordered)},
                                    {"lt.Tensor", everything(), binary(ordered, ordered)},
                                    {"lt.Scalar", everything(), with_scalar(ordered)},
                                    {"exp", floats(), unary(moderate), {differentiable}},
                                    {"exp_", floats(), unary(moderate, Form::in_place), {in_place}},
                                    {"exp.out", floats(), unary(moderate, Form::out), {out}},
                                    {"log", floats(), unary(positives), {differentiable}},
                                    {"sqrt", floats(), unary(positives), {differentiable}},
                                    {"sqrt_", floats(), unary(positives, Form::in_place), {in_place}},
                                    {"rsqrt", floats(), unary(positives), {differentiable}},
                                    {"tanh", floats(), unary(numbers), {differentiable}},
                                    {"sigmoid", floats(), unary(numbers), {differentiable}},
                                    {"sigmoid_", floats(), unary(numbers, Form::in_place), {in_place}},
                                    {"erf", floats(), unary(numbers), {differentiable}},
                                    {"gelu", floats(), gelu(), {differentiable}},
                                    {"silu", floats(), unary(moderate), {differentiable}},
                                    {"pow.Tensor_Scalar", numerics(), power_scalar(), {differentiable}},
                                    {"pow.Tensor_Tensor", numerics(), binary(positives, moderate), {differentiable}},
                                    {"floor", numerics(), unary(numbers), {differentiable}},
                                    {"floor_", floats(), unary(numbers, Form::in_place), {in_place}},
                                    {"round", numerics(), unary(numbers), {differentiable}},
                                    {"bitwise_and.Tensor", integers(), binary(numbers, numbers)},
                                });
}

}  // namespace neuroncheck
