#include "generators/elementwise.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::binary, generators::Form, generators::numbers, generators::ordered, generators::truth, generators::unary, generators::with_scalar;
using enum Trait;

namespace {

std::vector<Row> bit_rows() {
  const Dtypes shifted = without(integers(), {Dtype::bool_});
  return rows_of("comparison", {
                                   {"bitwise_and.Tensor", integers(), binary(numbers, numbers)},
                                   {"bitwise_and.Tensor_out", integers(), binary(numbers, numbers, Form::out), {out}},
                                   {"bitwise_and.Scalar", integers(), with_scalar(numbers)},
                                   {"bitwise_or.Tensor", integers(), binary(numbers, numbers)},
                                   {"bitwise_or.Tensor_out", integers(), binary(numbers, numbers, Form::out), {out}},
                                   {"bitwise_or.Scalar", integers(), with_scalar(numbers)},
                                   {"bitwise_xor.Tensor", integers(), binary(numbers, numbers)},
                                   {"bitwise_xor.Tensor_out", integers(), binary(numbers, numbers, Form::out), {out}},
                                   {"bitwise_xor.Scalar", integers(), with_scalar(numbers)},
                                   {"bitwise_and_.Tensor", integers(), binary(numbers, numbers, Form::in_place), {in_place}},
                                   {"bitwise_or_.Tensor", integers(), binary(numbers, numbers, Form::in_place), {in_place}},
                                   {"bitwise_not", integers(), unary(numbers)},
                                   {"bitwise_not.out", integers(), unary(numbers, Form::out), {out}},
                                   {"bitwise_left_shift.Tensor", shifted, generators::shift()},
                                   {"bitwise_left_shift.Tensor_out", shifted, generators::shift(Form::out), {out}},
                                   {"bitwise_left_shift.Tensor_Scalar", shifted, generators::shift_by_scalar()},
                                   {"bitwise_left_shift.Tensor_Scalar_out", shifted, generators::shift_by_scalar(Form::out), {out}},
                                   {"bitwise_left_shift.Scalar_Tensor", shifted, generators::shift_of_scalar()},
                                   {"bitwise_left_shift.Scalar_Tensor_out", shifted, generators::shift_of_scalar(Form::out), {out}},
                                   {"bitwise_right_shift.Tensor", shifted, generators::shift()},
                                   {"bitwise_right_shift.Tensor_out", shifted, generators::shift(Form::out), {out}},
                                   {"bitwise_right_shift.Tensor_Scalar", shifted, generators::shift_by_scalar()},
                                   {"bitwise_right_shift.Tensor_Scalar_out", shifted, generators::shift_by_scalar(Form::out), {out}},
                                   {"bitwise_right_shift.Scalar_Tensor", shifted, generators::shift_of_scalar()},
                                   {"bitwise_right_shift.Scalar_Tensor_out", shifted, generators::shift_of_scalar(Form::out), {out}},
                                   {"gcd", shifted, generators::small_integers()},
                                   {"lcm", shifted, generators::small_integers()},
                               });
}

std::vector<Row> truth_rows() {
  return rows_of("comparison", {
                                   {"eq.Tensor", everything(), binary(ordered, ordered)},
                                   {"eq.Scalar", everything(), with_scalar(ordered)},
                                   {"lt.Tensor", everything(), binary(ordered, ordered)},
                                   {"lt.Scalar", everything(), with_scalar(ordered)},
                                   {"eq.Tensor_out", everything(), binary(ordered, ordered, Form::out, truth), {out}},
                                   {"eq.Scalar_out", everything(), with_scalar(ordered, Form::out, truth), {out}},
                                   {"ne.Tensor", everything(), binary(ordered, ordered)},
                                   {"ne.Scalar", everything(), with_scalar(ordered)},
                                   {"ne.Tensor_out", everything(), binary(ordered, ordered, Form::out, truth), {out}},
                                   {"ne.Scalar_out", everything(), with_scalar(ordered, Form::out, truth), {out}},
                                   {"lt.Tensor_out", everything(), binary(ordered, ordered, Form::out, truth), {out}},
                                   {"lt.Scalar_out", everything(), with_scalar(ordered, Form::out, truth), {out}},
                                   {"le.Tensor", everything(), binary(ordered, ordered)},
                                   {"le.Scalar", everything(), with_scalar(ordered)},
                                   {"le.Tensor_out", everything(), binary(ordered, ordered, Form::out, truth), {out}},
                                   {"le.Scalar_out", everything(), with_scalar(ordered, Form::out, truth), {out}},
                                   {"gt.Tensor", everything(), binary(ordered, ordered)},
                                   {"gt.Scalar", everything(), with_scalar(ordered)},
                                   {"gt.Tensor_out", everything(), binary(ordered, ordered, Form::out, truth), {out}},
                                   {"gt.Scalar_out", everything(), with_scalar(ordered, Form::out, truth), {out}},
                                   {"ge.Tensor", everything(), binary(ordered, ordered)},
                                   {"ge.Scalar", everything(), with_scalar(ordered)},
                                   {"ge.Tensor_out", everything(), binary(ordered, ordered, Form::out, truth), {out}},
                                   {"ge.Scalar_out", everything(), with_scalar(ordered, Form::out, truth), {out}},
                                   {"logical_and", everything(), binary(ordered, ordered)},
                                   {"logical_and_", everything(), binary(ordered, ordered, Form::in_place), {in_place}},
                                   {"logical_and.out", everything(), binary(ordered, ordered, Form::out, truth), {out}},
                                   {"logical_or", everything(), binary(ordered, ordered)},
                                   {"logical_or_", everything(), binary(ordered, ordered, Form::in_place), {in_place}},
                                   {"logical_or.out", everything(), binary(ordered, ordered, Form::out, truth), {out}},
                                   {"logical_xor", everything(), binary(ordered, ordered)},
                                   {"logical_not", everything(), unary(ordered)},
                                   {"logical_not_", everything(), unary(ordered, Form::in_place), {in_place}},
                                   {"logical_not.out", everything(), unary(ordered, Form::out, truth), {out}},
                                   {"isnan", everything(), unary(ordered)},
                                   {"isfinite", everything(), unary(ordered)},
                                   {"isinf", everything(), unary(ordered)},
                                   {"isposinf", everything(), unary(ordered)},
                                   {"isneginf", everything(), unary(ordered)},
                                   {"signbit", everything(), unary(ordered)},
                                   {"logical_xor.out", everything(), binary(ordered, ordered, Form::out, truth), {out}},
                                   {"isneginf.out", everything(), unary(ordered, Form::out, truth), {out}},
                                   {"signbit.out", everything(), unary(ordered, Form::out, truth), {out}},
                               });
}

}  // namespace

std::vector<Row> comparison_rows() {
  std::vector<Row> rows = truth_rows();
  for (Row& row : bit_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace neuroncheck
