#include <algorithm>
#include <array>
#include <string_view>

#include "generators/attention.h"
#include "generators/normalisation.h"
#include "generators/reductions.h"
#include "suites/rows.h"

namespace neuroncheck {

namespace g = generators;
using g::Form, g::Reserve, g::RunningStatistics;
using enum Trait;

namespace {

std::vector<Row> all_normalisation_rows() {
  // In 16 bits the CPU's kernels are percents off where results cancel, and which bits they make depends on strides: what a device that falls back to
  // them makes is not known again as theirs.
  const Dtypes wide = {Dtype::float32, Dtype::float64};
  return rows_of("reduction", {
                                  {"_log_softmax.out", floats(), g::softmax(Form::out), {out}},
                                  {"_softmax_backward_data", floats(), g::softmax_backward(g::shares)},
                                  {"_softmax_backward_data.out", floats(), g::softmax_backward(g::shares, Form::out), {out}},
                                  {"_log_softmax_backward_data", floats(), g::softmax_backward(g::log_shares)},
                                  {"_log_softmax_backward_data.out", floats(), g::softmax_backward(g::log_shares, Form::out), {out}},
                                  {"native_layer_norm.out", floats(), g::layer_norm(Form::out), {out}},
                                  {"native_layer_norm_backward", floats(), g::layer_norm_backward()},
                                  {"native_layer_norm_backward.out", floats(), g::layer_norm_backward(Form::out), {out}},
                                  {"_fused_rms_norm", floats(), g::rms_norm(), {differentiable}},
                                  {"native_batch_norm", wide, g::batch_norm(RunningStatistics::optional)},
                                  {"native_batch_norm_backward", wide, g::batch_norm_backward(Reserve::none)},
                                  {"_native_batch_norm_legit", wide, g::batch_norm(RunningStatistics::required)},
                                  {"_native_batch_norm_legit.no_stats", wide, g::batch_norm(RunningStatistics::none), {differentiable}},
                                  {"_native_batch_norm_legit_no_training", wide, g::batch_norm(RunningStatistics::read), {differentiable}},
                                  {"_batch_norm_with_update", wide, g::batch_norm(RunningStatistics::updated)},
                                  {"batch_norm_backward", wide, g::batch_norm_backward(Reserve::empty)},
                                  {"native_group_norm", wide, g::group_norm()},
                                  {"native_group_norm_backward", wide, g::group_norm_backward()},
                                  {"_scaled_dot_product_flash_attention_for_cpu", floats(), g::attention(), {differentiable}},
                                  {"_scaled_dot_product_flash_attention_for_cpu_backward", floats(), g::attention_backward()},
                              });
}

// Compiled, torch's own decompositions of these answer otherwise than its CPU kernels: other shapes or strides, NaN, or a TypeError.
constexpr std::array<std::string_view, 4> kEagerOnly = {"_batch_norm_with_update", "native_batch_norm_backward", "native_group_norm",
                                                        "_scaled_dot_product_flash_attention_for_cpu"};

}  // namespace

std::vector<Row> normalisation_rows() {
  std::vector<Row> rows = all_normalisation_rows();
  for (Row& row : rows) row.compiles = std::find(kEagerOnly.begin(), kEagerOnly.end(), row.name) == kEagerOnly.end();
  return rows;
}

}  // namespace neuroncheck
