#include "generators/matmul.h"
#include "generators/products.h"
#include "suites/rows.h"

namespace neuroncheck {

namespace g = generators;
using g::Form;
using enum Trait;

std::vector<Row> matmul_rows() {
  return rows_of("matmul", {
                               {"mm", numerics(), g::mm(), {differentiable}},
                               {"mm.out", floats(), g::mm(Form::out), {out}},
                               {"mm/trajectory", floats(), g::mm_trajectory(), {trajectory}},
                               {"bmm", numerics(), g::bmm(), {differentiable}},
                               {"bmm.out", floats(), g::bmm(Form::out), {out}},
                               {"addmm", numerics(), g::addmm(), {differentiable}},
                               {"addmm_", floats(), g::addmm(Form::in_place), {in_place}},
                               {"addmm.out", numerics(), g::addmm(Form::out), {out}},
                               {"addmv", numerics(), g::addmv(), {differentiable}},
                               {"addmv_", numerics(), g::addmv(Form::in_place), {in_place}},
                               {"addmv.out", numerics(), g::addmv(Form::out), {out}},
                               {"addr", everything(), g::addr(), {differentiable}},
                               {"addbmm", numerics(), g::addbmm(), {differentiable}},
                               {"baddbmm", numerics(), g::baddbmm(), {differentiable}},
                               {"dot", numerics(), g::dot(), {differentiable}},
                               {"dot.out", numerics(), g::dot(Form::out), {out}},
                               {"vdot", numerics(), g::dot(), {differentiable}},
                               {"mv", numerics(), g::mv(), {differentiable}},
                               {"mv.out", numerics(), g::mv(Form::out), {out}},
                               {"linear", numerics(), g::linear(), {differentiable}},
                               {"linear.out", numerics(), g::linear(Form::out), {out}},
                               {"_trilinear", floats(), g::trilinear(), {differentiable}},
                               {"_scaled_mm", {Dtype::float8_e4m3fn, Dtype::float8_e5m2}, g::scaled_mm()},
                               {"_scaled_mm.out", {Dtype::float8_e4m3fn, Dtype::float8_e5m2}, g::scaled_mm(Form::out), {out}},
                               {"_grouped_mm", {Dtype::bfloat16}, g::grouped_mm(), {differentiable}},
                           });
}

}  // namespace neuroncheck
