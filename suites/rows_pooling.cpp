#include "generators/pooling.h"
#include "generators/resizing.h"
#include "generators/sampling.h"
#include "suites/rows.h"

namespace neuroncheck {

using enum Trait;

namespace {

std::vector<Row> resizing_rows() {
  using enum generators::Resize;
  const Dtypes wide = {Dtype::float32, Dtype::float64};  // of the antialiased ones the CPU has no others
  Dtypes moved = floats();
  moved.push_back(Dtype::uint8);
  return rows_of("resizing", {
                                 {"upsample_nearest1d", moved, generators::resize(1, nearest), {differentiable}},
                                 {"upsample_nearest1d_backward", floats(), generators::resize_gradient(1, nearest)},
                                 {"upsample_nearest2d", moved, generators::resize(2, nearest), {differentiable}},
                                 {"upsample_nearest2d.vec", moved, generators::resize_by_vector(nearest), {differentiable}},
                                 {"upsample_nearest2d_backward", floats(), generators::resize_gradient(2, nearest)},
                                 {"upsample_nearest3d", moved, generators::resize(3, nearest), {differentiable}},
                                 {"upsample_nearest3d_backward", floats(), generators::resize_gradient(3, nearest)},
                                 {"_upsample_nearest_exact1d", moved, generators::resize(1, nearest), {differentiable}},
                                 {"_upsample_nearest_exact1d_backward", floats(), generators::resize_gradient(1, nearest)},
                                 {"_upsample_nearest_exact2d", moved, generators::resize(2, nearest), {differentiable}},
                                 {"_upsample_nearest_exact2d_backward", floats(), generators::resize_gradient(2, nearest)},
                                 {"upsample_linear1d", floats(), generators::resize(1, linear), {differentiable}},
                                 {"upsample_linear1d_backward", floats(), generators::resize_gradient(1, linear)},
                                 {"upsample_bilinear2d", floats(), generators::resize(2, linear), {differentiable}},
                                 {"upsample_bilinear2d.vec", floats(), generators::resize_by_vector(linear), {differentiable}},
                                 {"upsample_bilinear2d_backward", floats(), generators::resize_gradient(2, linear)},
                                 {"upsample_trilinear3d", floats(), generators::resize(3, linear), {differentiable}},
                                 {"upsample_trilinear3d_backward", floats(), generators::resize_gradient(3, linear)},
                                 {"upsample_bicubic2d", floats(), generators::resize(2, linear), {estimated}},
                                 {"upsample_bicubic2d_backward", floats(), generators::resize_gradient(2, linear), {estimated}},
                                 {"_upsample_bilinear2d_aa", wide, generators::resize(2, linear), {estimated}},
                                 {"_upsample_bilinear2d_aa_backward", wide, generators::resize_gradient(2, linear), {estimated}},
                                 {"grid_sampler_2d", floats(), generators::grid_sample(2), {estimated}},
                                 {"grid_sampler_2d_backward", floats(), generators::grid_sample_gradient(2), {estimated}},
                                 {"grid_sampler_3d", floats(), generators::grid_sample(3), {estimated}},
                                 {"grid_sampler_3d_backward", floats(), generators::grid_sample_gradient(3), {estimated}},
                             });
}

std::vector<Row> window_rows() {
  const Dtypes wide = {Dtype::float32, Dtype::float64};
  return rows_of("pooling", {
                                {"avg_pool1d", floats(), generators::average_pool(1), {differentiable}},
                                {"avg_pool2d_backward", floats(), generators::average_pool_gradient(2)},
                                {"avg_pool3d", wide, generators::average_pool(3), {differentiable}},
                                {"avg_pool3d_backward", wide, generators::average_pool_gradient(3)},
                                {"adaptive_avg_pool1d", floats(), generators::adaptive_average_pool(1), {differentiable}},
                                {"_adaptive_avg_pool2d", floats(), generators::adaptive_average_pool(2), {differentiable}},
                                {"_adaptive_avg_pool2d_backward", floats(), generators::adaptive_average_pool_gradient(2)},
                                {"_adaptive_avg_pool3d", floats(), generators::adaptive_average_pool(3), {differentiable}},
                                {"_adaptive_avg_pool3d_backward", floats(), generators::adaptive_average_pool_gradient(3)},
                                {"adaptive_max_pool2d", floats(), generators::adaptive_max_pool(2), {differentiable}},
                                {"adaptive_max_pool2d_backward", floats(), generators::adaptive_max_pool_gradient(2)},
                                {"adaptive_max_pool3d", floats(), generators::adaptive_max_pool(3), {differentiable}},
                                {"adaptive_max_pool3d_backward", floats(), generators::adaptive_max_pool_gradient(3)},
                                {"max_pool2d_with_indices_backward", floats(), generators::max_pool_gradient(2)},
                                {"max_pool3d_with_indices", floats(), generators::max_pool(3), {differentiable}},
                                {"max_pool3d_with_indices_backward", floats(), generators::max_pool_gradient(3)},
                                {"max_unpool2d", floats(), generators::max_unpool(2)},
                                {"max_unpool3d", floats(), generators::max_unpool(3)},
                                {"fractional_max_pool2d", floats(), generators::fractional_max_pool(2), {differentiable}},
                                {"fractional_max_pool2d_backward", floats(), generators::fractional_max_pool_gradient(2)},
                                {"fractional_max_pool3d", floats(), generators::fractional_max_pool(3), {differentiable}},
                                {"fractional_max_pool3d_backward", floats(), generators::fractional_max_pool_gradient(3)},
                            });
}

}  // namespace

std::vector<Row> pooling_rows() {
  std::vector<Row> rows = window_rows();
  for (Row& row : resizing_rows()) rows.push_back(std::move(row));
  return rows;
}

}  // namespace neuroncheck
