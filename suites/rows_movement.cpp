#include "generators/movement.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::Form;
using enum Trait;

std::vector<Row> movement_rows() {
  return rows_of("movement", {
                                 {"view", everything(), generators::view(), {differentiable}},
                                 {"view/trajectory", floats(), generators::view_trajectory(), {trajectory}},
                                 {"permute", everything(), generators::permute(), {differentiable}},
                                 {"slice.Tensor", everything(), generators::slice(), {differentiable}},
                                 {"cat", everything(), generators::cat(), {differentiable}},
                                 {"cat.out", numerics(), generators::cat(Form::out), {out}},
                                 {"cat/trajectory", floats(), generators::cat_trajectory(), {trajectory}},
                                 {"expand", everything(), generators::expand(), {differentiable}},
                                 {"copy_", everything(), generators::copy(), {in_place}},
                                 {"_to_copy", everything(), generators::to_copy()},
                                 {"constant_pad_nd", everything(), generators::constant_pad(), {differentiable}},
                                 {"arange.start_step", numerics(), generators::arange()},
                                 {"full", everything(), generators::full()},
                             });
}

}  // namespace neuroncheck
