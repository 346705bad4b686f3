#include "oracles/linear_terms.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

void add_linear(RuleTable& table) {
  const Linear reduction{terms_of_reduction, {{{0}}}};
  table["aten::sum"] = linear(reduction);
  table["aten::mean"] = linear({terms_of_reduction, {{{0}}}, mean_divisor});
  table["aten::cumsum"] = linear({terms_of_cumulation, {{{0}}}});
  table["aten::mm"] = linear({terms_of_product, {{{0, 1}}}});
  table["aten::bmm"] = linear({terms_of_product, {{{0, 1}}}});
  table["aten::mv"] = linear({terms_of_product, {{{0, 1}}}});
  table["aten::dot"] = linear({terms_of_product, {{{0, 1}}}});
  table["aten::vdot"] = table["aten::dot"];
  table["aten::nansum"] = linear(reduction);
  table["aten::trace"] = linear({terms_of_diagonal, {{{0}}}});
  // addmm(self, mat1, mat2, *, beta, alpha)
  table["aten::addmm"] = linear({terms_of_added_product, {{{0, 3}, {1, 2, 4}}}});
  table["aten::addmv"] = table["aten::addmm"];
  table["aten::baddbmm"] = table["aten::addmm"];
  table["aten::addbmm"] = linear({terms_of_added_batches, {{{0, 3}, {1, 2, 4}}}});
  table["aten::convolution"] = linear({terms_of_convolution, {{{0, 1}, {2}}}});
  table["aten::convolution_backward"] = linear({terms_of_convolution_backward, {{{0, 2}}, {{0, 1}}, {{0}}}});
  table["aten::avg_pool2d"] = linear({terms_of_window, {{{0}}}, pooling_divisor});
  table["aten::avg_pool2d_backward"] = linear({terms_of_window, {{{0}}}, pooling_divisor, {1}});
  table["aten::max_pool2d_with_indices_backward"] = linear({terms_of_window, {{{0}}}, nullptr, {1}});
  table["aten::scatter_add"] = linear({terms_of_scatter, {{{0}, {3}}}});
  table["aten::index_add"] = linear({terms_of_scatter, {{{0}, {3, 4}}}});
}

}  // namespace neuroncheck::oracles
