#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

void add_rows(RuleTable& table) {
  table["aten::_softmax"] = softmax();
  table["aten::_log_softmax"] = log_softmax();
  table["aten::_softmax_backward_data"] = softmax_backward();
  table["aten::_log_softmax_backward_data"] = log_softmax_backward();
  table["aten::logsumexp"] = logsumexp();
  table["aten::var"] = variance();
  table["aten::prod"] = product();
  table["aten::native_layer_norm"] = layer_norm();
  table["aten::native_layer_norm_backward"] = layer_norm_backward();
  for (const char* op : {"amax", "amin", "max", "min", "argmax", "argmin", "sort", "topk", "max_pool2d_with_indices", "median", "kthvalue"}) {
    table[std::string("aten::") + op] = selection();
  }
  table["aten::any"] = any_true();
  table["aten::all"] = any_true();
}

}  // namespace neuroncheck::oracles
