#include "generators/invalid.h"
#include "suites/rows.h"

namespace neuroncheck {

namespace g = generators;
using g::argument, g::none, g::one_of_faults;
using enum Trait;

std::vector<Row> invalid_rows() {
  const Dtypes two = {Dtype::float32, Dtype::int64};
  const Dtypes floating = {Dtype::float32, Dtype::bfloat16};
  const ArgumentList keepdim = {argument(false)};
  const ArgumentList keepdim_typed = {argument(false), none()};
  return rows_of(
      "invalid",
      {
          {"add.Tensor/invalid", two, g::unbroadcastable(), {invalid}},
          {"add_.Tensor/invalid", two, one_of_faults({g::self_too_small(), g::result_does_not_fit()}), {invalid, in_place}},
          {"bitwise_and.Tensor/invalid", two, g::floating_operands(), {invalid}},
          {"where.self/invalid", two, g::condition_not_bool(), {invalid}},
          {"sum.dim_IntList/invalid", two, one_of_faults({g::dim_list_out_of_range(keepdim_typed), g::dim_list_repeated(keepdim_typed)}), {invalid}},
          {"amax/invalid", two, one_of_faults({g::empty_list_without_identity(keepdim), g::dim_list_out_of_range(keepdim)}), {invalid}},
          {"max.dim/invalid", two, one_of_faults({g::empty_without_identity(keepdim), g::dim_out_of_range(keepdim)}), {invalid}},
          {"cumsum/invalid", two, g::dim_out_of_range({none()}), {invalid}},
          {"_softmax/invalid", floating, one_of_faults({g::dim_out_of_range({argument(false)}), g::integer_softmax()}), {invalid}},
          {"native_layer_norm/invalid", floating, g::layer_norm_wrong_shape(), {invalid}},
          {"mm/invalid", two, one_of_faults({g::mm_inner_mismatch(), g::mm_wrong_rank(), g::mm_dtype_mismatch()}), {invalid}},
          {"bmm/invalid", two, one_of_faults({g::bmm_batch_mismatch(), g::mm_inner_mismatch()}), {invalid}},
          {"addmm/invalid", two, g::addmm_self_mismatch(), {invalid}},
          {"convolution/invalid", floating, one_of_faults({g::convolution_channel_mismatch(), g::convolution_kernel_too_large()}), {invalid}},
          {"max_pool2d_with_indices/invalid", floating, one_of_faults({g::pool_padding_too_large(), g::pool_kernel_too_large()}), {invalid}},
          {"index_select/invalid", two, one_of_faults({g::index_out_of_range(), g::index_not_integer()}), {invalid}},
          {"gather/invalid", two, one_of_faults({g::index_out_of_range(), g::index_wrong_rank(), g::index_not_integer()}), {invalid}},
          {"embedding/invalid", floating, g::embedding_out_of_range(), {invalid}},
          {"masked_fill.Scalar/invalid", two, g::mask_not_bool(), {invalid}},
          {"topk/invalid", two, g::topk_too_many(), {invalid}},
          {"view/invalid", two, one_of_faults({g::view_wrong_size(), g::view_two_unknowns()}), {invalid}},
          {"permute/invalid", two, one_of_faults({g::permute_repeated(), g::permute_wrong_rank()}), {invalid}},
          {"slice.Tensor/invalid", two, g::slice_step_zero(), {invalid}},
          {"cat/invalid", two, g::cat_mismatch(), {invalid}},
          {"expand/invalid", two, one_of_faults({g::expand_mismatch(), g::expand_too_short()}), {invalid}},
          {"constant_pad_nd/invalid", two, one_of_faults({g::pad_odd(), g::pad_below_zero()}), {invalid}},
          {"arange.start_step/invalid", two, one_of_faults({g::arange_zero_step(), g::arange_wrong_way()}), {invalid}},
      });
}

}  // namespace neuroncheck
