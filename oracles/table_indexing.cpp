#include "oracles/index_kinds.h"
#include "oracles/linear_terms.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {
namespace {

// scale_grad_by_freq divides each row by how often its index occurs.
double frequency_divisor(const Call& call, double) { return call.named("scale_grad_by_freq")->toBool() ? 0.0 : 1.0; }

// cummaxmin_backward(grad, input, indices, dim)
std::vector<double> terms_of_lines(const Call& call, const std::vector<at::Tensor>&) {
  const at::Tensor grad = call.tensor(0);
  return {grad.dim() == 0 ? 1.0 : static_cast<double>(grad.size(call.argument(3).toInt()))};
}

Rule count() {
  const Rule weighted = linear({terms_of_indices, {{{1}}}});
  const Rule exact = plain();
  // Of no numbers torch counts in int64, whatever the weights.
  return [=](const Call& call) { return call.argument(1).isNone() || call.tensor(0).numel() == 0 ? exact(call) : weighted(call); };
}

}  // namespace

// Scatters, gathers and orders.
void add_indexing(RuleTable& table) {
  for (const char* op : {"index_copy", "index_fill", "masked_select"}) table[std::string("aten::") + op] = move();
  // (self, indices, values, accumulate)
  for (const char* op : {"put", "index_put", "_index_put_impl"}) {
    table[std::string("aten::") + op] = by_flag(3, linear({terms_of_indices, {{{0}, {2}}}}), move());
  }
  table["aten::cummaxmin_backward"] = linear({terms_of_lines, {{{0}}}});
  table["aten::embedding_dense_backward"] = linear({terms_of_indices, {{{0}}}, frequency_divisor});
  for (const char* op : {"scatter.reduce", "scatter.value_reduce", "scatter_reduce", "index_reduce"}) {
    table[std::string("aten::") + op] = reduce_scattered();
  }
  table["aten::segment_reduce"] = reduce_segments();
  table["aten::_embedding_bag"] = embedding_bag();
  table["aten::_embedding_bag_backward"] = embedding_bag_backward();
  table["aten::_embedding_bag_per_sample_weights_backward"] = embedding_bag_weights_backward();
  table["aten::nonzero_static"] = plain();
  table["aten::searchsorted"] = search();
  table["aten::bucketize"] = search();
  table["aten::isin"] = membership();
  for (const char* op : {"_unique", "_unique2", "unique_consecutive"}) table[std::string("aten::") + op] = distinct();
  table["aten::bincount"] = count();
  table["aten::histc"] = histc();
  table["aten::histogram"] = histogram_of(Histogram::flat);
  table["aten::_histogramdd_bin_edges"] = histogram_of(Histogram::edges);
  table["aten::_histogramdd_from_bin_cts"] = histogram_of(Histogram::cells);
  table["aten::_histogramdd_from_bin_tensors"] = histogram_of(Histogram::cells);
}

}  // namespace neuroncheck::oracles
