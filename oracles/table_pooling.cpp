#include "oracles/linear_terms.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {

// Windows over images and volumes; those of two dimensions are in table_linear.cpp and table_rows.cpp as well.
void add_pooling(RuleTable& table) {
  table["aten::avg_pool3d"] = linear({terms_of_window, {{{0}}}, pooling_divisor});
  table["aten::avg_pool3d_backward"] = linear({terms_of_window, {{{0}}}, pooling_divisor, {1}});
  table["aten::max_pool3d_with_indices_backward"] = linear({terms_of_window, {{{0}}}, nullptr, {1}});
  for (const char* op : {"2d", "3d"}) {
    const std::string dimensions = op;
    table["aten::_adaptive_avg_pool" + dimensions] = linear({terms_of_adaptive, {{{0}}}, adaptive_divisor});
    table["aten::_adaptive_avg_pool" + dimensions + "_backward"] = linear({terms_of_adaptive_backward, {{{0}}}, adaptive_divisor, {1}});
    table["aten::adaptive_max_pool" + dimensions] = selection();
    table["aten::adaptive_max_pool" + dimensions + "_backward"] = linear({terms_of_adaptive_backward, {{{0}}}, nullptr, {1}});
    table["aten::fractional_max_pool" + dimensions] = selection();
    table["aten::fractional_max_pool" + dimensions + "_backward"] = linear({terms_of_window, {{{0}}}, nullptr, {1}});
    table["aten::max_unpool" + dimensions] = move();
  }
  table["aten::max_pool3d_with_indices"] = selection();
}

// The rows draw no other ratios than those whose coordinates and weights are exact in every format: then nearest neighbours move, and linear
// interpolation is a sum of exact products. The antialiased and bicubic ones have no rule:
// they are estimated.
void add_resizing(RuleTable& table) {
  for (const char* op :
       {"upsample_nearest1d", "upsample_nearest2d", "upsample_nearest3d", "_upsample_nearest_exact1d", "_upsample_nearest_exact2d"}) {
    table["aten::" + std::string(op)] = move();
    table["aten::" + std::string(op) + "_backward"] = linear({terms_of_resizing, {{{0}}}});
  }
  for (const char* op : {"upsample_linear1d", "upsample_bilinear2d", "upsample_trilinear3d"}) {
    table["aten::" + std::string(op)] = linear({terms_of_resizing, {{{0}}}, resizing_divisor});
    table["aten::" + std::string(op) + "_backward"] = table["aten::" + std::string(op)];
  }
}

}  // namespace neuroncheck::oracles
