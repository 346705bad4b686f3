#include "generators/matmul.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::addmm, generators::bmm, generators::Form, generators::mm, generators::mm_trajectory;
using enum Trait;

std::vector<Row> matmul_rows() {
  return rows_of("matmul", {
                               {"mm", numerics(), mm(), {differentiable}},
                               {"mm.out", floats(), mm(Form::out), {out}},
                               {"mm/trajectory", floats(), mm_trajectory(), {trajectory}},
                               {"bmm", numerics(), bmm(), {differentiable}},
                               {"bmm.out", floats(), bmm(Form::out), {out}},
                               {"addmm", numerics(), addmm(), {differentiable}},
                               {"addmm_", floats(), addmm(Form::in_place), {in_place}},
                           });
}

}  // namespace neuroncheck
