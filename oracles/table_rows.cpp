#include "oracles/attention_rules.h"
#include "oracles/norm_rules.h"
#include "oracles/row_rules.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

void add_rows(RuleTable& table) {
  table["aten::_softmax"] = softmax();
  table["aten::_log_softmax"] = log_softmax();
  table["aten::_softmax_backward_data"] = softmax_backward();
  table["aten::_log_softmax_backward_data"] = log_softmax_backward();
  table["aten::logsumexp"] = logsumexp();
  table["aten::var"] = moments({Moment::variance});
  table["aten::var_mean"] = moments({Moment::variance, Moment::mean});
  table["aten::std"] = moments({Moment::deviation});
  table["aten::std_mean"] = moments({Moment::deviation, Moment::mean});
  table["aten::linalg_vector_norm"] = vector_norm();
  table["aten::norm"] = vector_norm();
  table["aten::renorm"] = renorm();
  table["aten::cumprod"] = cumulative_product();
  table["aten::logcumsumexp"] = logcumsumexp();
  table["aten::count_nonzero"] = count_true();
  table["aten::mode"] = mode();
  table["aten::prod"] = product();
  table["aten::native_layer_norm"] = layer_norm();
  table["aten::native_layer_norm_backward"] = layer_norm_backward();
  for (const char* op : {"amax", "amin", "aminmax", "max", "min", "argmax", "argmin", "sort", "topk", "max_pool2d_with_indices", "median",
                         "nanmedian", "kthvalue", "cummax", "cummin"}) {
    table[std::string("aten::") + op] = selection();
  }
  for (const char* op : {"native_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit_no_training", "_batch_norm_with_update"}) {
    table[std::string("aten::") + op] = batch_norm();
  }
  table["aten::native_batch_norm_backward"] = batch_norm_backward();
  table["aten::batch_norm_backward"] = batch_norm_backward();
  table["aten::native_group_norm"] = group_norm();
  table["aten::native_group_norm_backward"] = group_norm_backward();
  table["aten::_cdist_forward"] = cdist();
  table["aten::_cdist_backward"] = cdist_backward();
  table["aten::_pdist_forward"] = pdist();
  table["aten::_pdist_backward"] = pdist_backward();
  table["aten::_scaled_dot_product_flash_attention_for_cpu"] = attention();
  table["aten::_scaled_dot_product_flash_attention_for_cpu_backward"] = attention_backward();
  table["aten::_grouped_mm"] = grouped_product();
  table["aten::_scaled_mm"] = scaled_product();
  table["aten::_fused_adam_"] = adam_step(WeightDecay::of_gradients);
  table["aten::_fused_adamw_"] = adam_step(WeightDecay::of_parameters);
  table["aten::_trilinear"] = trilinear();
  table["aten::any"] = any_true();
  table["aten::all"] = any_true();
}

}  // namespace neuroncheck::oracles
