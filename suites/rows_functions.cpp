#include "generators/elementwise.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::binary, generators::Form, generators::fractions, generators::moderate, generators::numbers, generators::positives,
    generators::power_of_scalar, generators::power_scalar, generators::unary;
using enum Trait;

std::vector<Row> function_rows() {
  // tan, sinc, xlogy and special_xlog1py are steep: where they fall back, float64 gradients of a device that demotes depend on whether the host saw
  // the demoted input, which the reference does not know. They take none.
  return rows_of("functions", {
                                  {"exp", floats(), unary(moderate), {differentiable}},
                                  {"exp_", floats(), unary(moderate, Form::in_place), {in_place}},
                                  {"exp.out", floats(), unary(moderate, Form::out), {out}},
                                  {"log", floats(), unary(positives), {differentiable}},
                                  {"sqrt", floats(), unary(positives), {differentiable}},
                                  {"sqrt_", floats(), unary(positives, Form::in_place), {in_place}},
                                  {"rsqrt", floats(), unary(positives), {differentiable}},
                                  {"tanh", floats(), unary(numbers), {differentiable}},
                                  {"erf", floats(), unary(numbers), {differentiable}},
                                  {"pow.Tensor_Scalar", numerics(), power_scalar(), {differentiable}},
                                  {"pow.Tensor_Tensor", numerics(), binary(positives, moderate), {differentiable}},
                                  {"exp2", floats(), unary(moderate), {differentiable}},
                                  {"expm1", floats(), unary(moderate), {differentiable}},
                                  {"log2", floats(), unary(positives), {differentiable}},
                                  {"log10", floats(), unary(positives), {differentiable}},
                                  {"log1p", floats(), unary(positives), {differentiable}},
                                  {"sin", floats(), unary(numbers), {differentiable}},
                                  {"cos", floats(), unary(numbers), {differentiable}},
                                  {"tan", floats(), unary(moderate)},
                                  {"asin", floats(), unary(fractions), {differentiable}},
                                  {"acos", floats(), unary(fractions), {differentiable}},
                                  {"atan", floats(), unary(numbers), {differentiable}},
                                  {"sinh", floats(), unary(moderate), {differentiable}},
                                  {"cosh", floats(), unary(moderate), {differentiable}},
                                  {"asinh", floats(), unary(numbers), {differentiable}},
                                  {"acosh", floats(), unary(positives), {differentiable}},
                                  {"atanh", floats(), unary(fractions), {differentiable}},
                                  {"erfc", floats(), unary(moderate), {differentiable}},
                                  {"log.out", floats(), unary(positives, Form::out), {out}},
                                  {"rsqrt.out", floats(), unary(positives, Form::out), {out}},
                                  {"sqrt.out", floats(), unary(positives, Form::out), {out}},
                                  {"tanh.out", floats(), unary(numbers, Form::out), {out}},
                                  {"erf.out", floats(), unary(numbers, Form::out), {out}},
                                  {"sin.out", floats(), unary(numbers, Form::out), {out}},
                                  {"cos.out", floats(), unary(numbers, Form::out), {out}},
                                  {"log_", floats(), unary(positives, Form::in_place), {in_place}},
                                  {"atan2", floats(), binary(numbers, numbers), {differentiable}},
                                  {"atan2.out", floats(), binary(numbers, numbers, Form::out), {out}},
                                  {"hypot", floats(), binary(numbers, numbers), {differentiable}},
                                  {"logaddexp", floats(), binary(moderate, moderate), {differentiable}},
                                  {"logaddexp2", floats(), binary(moderate, moderate), {differentiable}},
                                  {"xlogy.Tensor", floats(), binary(numbers, positives)},
                                  {"pow.Tensor_Scalar_out", numerics(), power_scalar(Form::out), {out}},
                                  {"pow_.Scalar", numerics(), power_scalar(Form::in_place), {in_place}},
                                  {"pow.Tensor_Tensor_out", floats(), binary(positives, moderate, Form::out), {out}},
                                  {"pow.Scalar", numerics(), power_of_scalar(), {differentiable}},
                                  {"sinc", numerics(), unary(moderate)},
                                  {"special_entr", floats(), unary(positives), {differentiable}},
                                  {"special_xlog1py", floats(), binary(numbers, positives)},
                                  {"erfinv", floats(), unary(fractions), {differentiable}},
                                  {"erfinv.out", floats(), unary(fractions, Form::out), {out}},
                                  {"pow.Scalar_out", floats(), power_of_scalar(Form::out), {out}},
                              });
}

}  // namespace neuroncheck
