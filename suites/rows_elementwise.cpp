#include "generators/elementwise.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::binary, generators::binary_alpha, generators::divide_rounded, generators::divisors, generators::Form, generators::lerp,
    generators::lerp_scalar, generators::numbers, generators::ternary_value, generators::unary, generators::with_divisor,
    generators::with_divisor_rounded, generators::with_scalar, generators::with_scalar_alpha;
using enum Trait;

namespace {

std::vector<Row> arithmetic_rows() {
  // sub refuses bool; floor_divide, fmod and remainder of integers raise on zero divisors, which divisors() leaves out.
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
                                    {"add_.Scalar", numerics(), with_scalar_alpha(Form::in_place), {in_place}},
                                    {"sub.out", numerics(), binary_alpha(Form::out), {out}},
                                    {"sub.Scalar_out", numerics(), with_scalar_alpha(Form::out), {out}},
                                    {"rsub.Tensor", numerics(), binary_alpha(), {differentiable}},
                                    {"rsub.Scalar", numerics(), with_scalar_alpha(), {differentiable}},
                                    {"mul_.Scalar", numerics(), with_scalar(numbers, Form::in_place), {in_place}},
                                    {"div.out", floats(), binary(numbers, divisors, Form::out), {out}},
                                    {"div.out_mode", numerics(), divide_rounded(Form::out), {out}},
                                    {"div.Scalar_mode", numerics(), with_divisor_rounded()},
                                    {"div_.Scalar", floats(), with_divisor(Form::in_place), {in_place}},
                                    {"floor_divide.out", numerics(), binary(numbers, divisors, Form::out), {out}},
                                    {"remainder.Scalar", numerics(), with_divisor(), {differentiable}},
                                    {"remainder.Tensor_out", numerics(), binary(numbers, divisors, Form::out), {out}},
                                    {"remainder.Scalar_out", numerics(), with_divisor(Form::out), {out}},
                                    {"fmod.Tensor", numerics(), binary(numbers, divisors)},
                                    {"fmod.Scalar", numerics(), with_divisor(), {differentiable}},
                                    {"addcmul", numerics(), ternary_value(numbers), {differentiable}},
                                    {"addcmul.out", numerics(), ternary_value(numbers, Form::out), {out}},
                                    {"addcdiv", floats(), ternary_value(divisors), {differentiable}},
                                    {"addcdiv.out", floats(), ternary_value(divisors, Form::out), {out}},
                                    {"lerp.Tensor", floats(), lerp(), {differentiable}},
                                    {"lerp.Tensor_out", floats(), lerp(Form::out), {out}},
                                    {"lerp_.Tensor", floats(), lerp(Form::in_place), {in_place}},
                                    {"lerp.Scalar", floats(), lerp_scalar(), {differentiable}},
                                    {"lerp.Scalar_out", floats(), lerp_scalar(Form::out), {out}},
                                    {"lerp_.Scalar", floats(), lerp_scalar(Form::in_place), {in_place}},
                                    {"reciprocal", floats(), unary(divisors), {differentiable}},
                                    {"reciprocal_", floats(), unary(divisors, Form::in_place), {in_place}},
                                    {"reciprocal.out", floats(), unary(divisors, Form::out), {out}},
                                });
}

// Roundings, steps and parts of numbers.
std::vector<Row> step_like_rows() {
  const std::vector<ArgumentList> decimals = {generators::arguments(0), generators::arguments(1),  generators::arguments(2),
                                              generators::arguments(3), generators::arguments(-1), generators::arguments(-2)};
  return rows_of("elementwise",
                 {
                     {"deg2rad", everything(), unary(numbers)},
                     {"rad2deg", everything(), unary(numbers)},
                     {"heaviside", everything(), binary(generators::ordered, generators::markers)},
                     {"ldexp.Tensor", floats(), generators::exponents()},
                     {"mul.Scalar_out", numerics(), with_scalar(numbers, Form::out), {out}},
                     {"masked_fill.Tensor", everything(), generators::masked_fill_tensor(), {differentiable}},
                     {"masked_fill_.Tensor", everything(), generators::masked_fill_tensor(Form::in_place), {in_place}},
                     {"where.Scalar", {Dtype::float32, Dtype::int64, Dtype::bool_}, generators::where_scalars(generators::WhereScalars::both)},
                     {"nan_to_num", everything(), generators::nan_to_num(), {differentiable}},
                     {"nextafter", without(floats(), {Dtype::float64}), binary(numbers, numbers)},
                     {"round.decimals", floats(), generators::unary_with(generators::moderate, decimals)},
                     {"frexp.Tensor", floats(), generators::unary_results(numbers, 2)},
                     {"_test_serialization_subcmul", numerics(), binary_alpha(), {differentiable}},
                 });
}

}  // namespace

std::vector<Row> elementwise_rows() {
  std::vector<Row> rows = arithmetic_rows();
  for (Row& row : step_like_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace neuroncheck
