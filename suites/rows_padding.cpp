#include "generators/padding.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::Form, generators::pad, generators::pad_edges, generators::pad_edges_backward;
using enum generators::PaddingMode;
using enum Trait;

std::vector<Row> padding_rows() {
  const Dtypes windows = {Dtype::float32, Dtype::bfloat16, Dtype::float16, Dtype::float64, Dtype::bool_};  // no im2col of integers on the CPU
  return rows_of("padding", {
                                {"pad", numerics(), pad(), {differentiable}},
                                {"reflection_pad1d", numerics(), pad_edges(reflection, 1), {differentiable}},
                                {"reflection_pad2d", numerics(), pad_edges(reflection, 2), {differentiable}},
                                {"reflection_pad3d", numerics(), pad_edges(reflection, 3), {differentiable}},
                                {"replication_pad1d", numerics(), pad_edges(replication, 1), {differentiable}},
                                {"replication_pad2d", numerics(), pad_edges(replication, 2), {differentiable}},
                                {"replication_pad2d.out", numerics(), pad_edges(replication, 2, Form::out), {out}},
                                {"replication_pad3d", numerics(), pad_edges(replication, 3), {differentiable}},
                                {"reflection_pad1d_backward", floats(), pad_edges_backward(reflection, 1)},
                                {"reflection_pad2d_backward", floats(), pad_edges_backward(reflection, 2)},
                                {"reflection_pad3d_backward", floats(), pad_edges_backward(reflection, 3)},
                                {"replication_pad1d_backward", floats(), pad_edges_backward(replication, 1)},
                                {"replication_pad2d_backward", floats(), pad_edges_backward(replication, 2)},
                                {"replication_pad3d_backward", floats(), pad_edges_backward(replication, 3)},
                                {"im2col", windows, generators::im2col(), {differentiable}},
                                {"col2im", floats(), generators::col2im(), {differentiable}},
                            });
}

}  // namespace neuroncheck
