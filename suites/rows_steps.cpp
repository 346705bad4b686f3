#include "generators/elementwise.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::binary, generators::clamp, generators::clamp_tensors, generators::Form, generators::numbers, generators::ordered, generators::unary,
    generators::where, generators::where_scalars, generators::WhereScalars, generators::with_scalar;
using enum Trait;

std::vector<Row> step_rows() {
  // What is piecewise linear or picks an operand: no rounding is due. neg refuses bool.
  return rows_of("elementwise", {
                                    {"neg", numerics(), unary(numbers), {differentiable}},
                                    {"neg_", numerics(), unary(numbers, Form::in_place), {in_place}},
                                    {"abs", numerics(), unary(numbers), {differentiable}},
                                    {"clamp", numerics(), clamp(), {differentiable}},
                                    {"clamp_", numerics(), clamp(Form::in_place), {in_place}},
                                    {"minimum", everything(), binary(ordered, ordered), {differentiable}},
                                    {"maximum", everything(), binary(ordered, ordered), {differentiable}},
                                    {"maximum.out", everything(), binary(ordered, ordered, Form::out), {out}},
                                    {"where.self", everything(), where(), {differentiable}},
                                    {"where.self_out", everything(), where(Form::out), {out}},
                                    {"floor", numerics(), unary(numbers), {differentiable}},
                                    {"floor_", floats(), unary(numbers, Form::in_place), {in_place}},
                                    {"round", numerics(), unary(numbers), {differentiable}},
                                    {"neg.out", numerics(), unary(numbers, Form::out), {out}},
                                    {"abs.out", numerics(), unary(numbers, Form::out), {out}},
                                    {"sign", everything(), unary(numbers)},
                                    {"sign.out", everything(), unary(numbers, Form::out), {out}},
                                    {"sgn", everything(), unary(numbers)},
                                    {"sgn.out", everything(), unary(numbers, Form::out), {out}},
                                    {"ceil", numerics(), unary(numbers), {differentiable}},
                                    {"ceil_", floats(), unary(numbers, Form::in_place), {in_place}},
                                    {"ceil.out", numerics(), unary(numbers, Form::out), {out}},
                                    {"trunc", numerics(), unary(numbers), {differentiable}},
                                    {"trunc.out", numerics(), unary(numbers, Form::out), {out}},
                                    {"frac", floats(), unary(numbers), {differentiable}},
                                    {"copysign.Tensor", floats(), binary(numbers, numbers)},
                                    {"copysign.Scalar", floats(), with_scalar(numbers)},
                                    {"fmax", everything(), binary(ordered, ordered)},
                                    {"fmin", everything(), binary(ordered, ordered)},
                                    {"clamp.out", numerics(), clamp(Form::out), {out}},
                                    {"clamp.Tensor", numerics(), clamp_tensors()},
                                    {"clamp.Tensor_out", numerics(), clamp_tensors(Form::out), {out}},
                                    {"clamp_min", numerics(), with_scalar(numbers), {differentiable}},
                                    {"clamp_min_", numerics(), with_scalar(numbers, Form::in_place), {in_place}},
                                    {"clamp_min.out", numerics(), with_scalar(numbers, Form::out), {out}},
                                    {"clamp_min.Tensor", numerics(), binary(numbers, ordered)},
                                    {"clamp_min_.Tensor", numerics(), binary(numbers, ordered, Form::in_place), {in_place}},
                                    {"clamp_min.Tensor_out", numerics(), binary(numbers, ordered, Form::out), {out}},
                                    {"clamp_max", numerics(), with_scalar(numbers), {differentiable}},
                                    {"clamp_max.out", numerics(), with_scalar(numbers, Form::out), {out}},
                                    {"clamp_max.Tensor", numerics(), binary(numbers, ordered)},
                                    {"clamp_max.Tensor_out", numerics(), binary(numbers, ordered, Form::out), {out}},
                                    {"where.ScalarSelf", everything(), where_scalars(WhereScalars::self)},
                                    {"where.ScalarOther", everything(), where_scalars(WhereScalars::other)},
                                });
}

}  // namespace neuroncheck
