#include "oracles/element_losses.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {
namespace {

namespace f = functions;

// parameter[1]: what the mean divides by.
void divided_by_count(const Call& call, Element& element) {
  const bool mean = call.named("reduction")->toInt() == 1;
  element.parameter[1] = mean ? static_cast<double>(call.tensor(1).numel()) : 1.0;
}

// (grad, self, target, ...), the gradient one number unless nothing is reduced.
Rule gradient(ElementFunction function, std::vector<std::string> parameters = {}) {
  return elementwise({function, {0, 1, 2}, Makes::promoted, "", std::move(parameters), divided_by_count});
}

// With the weight, where it is given, at this position.
Rule by_weight(std::size_t position, const Rule& plain, const Rule& weighted) {
  return [=](const Call& call) { return call.tensor(position).defined() ? weighted(call) : plain(call); };
}

}  // namespace

void add_losses(RuleTable& table) {
  table["aten::mse_loss"] = loss({f::squared_difference, {0, 1}, Makes::promoted});
  table["aten::smooth_l1_loss"] = loss({f::smooth_l1, {0, 1}, Makes::promoted, "", {"beta"}});
  table["aten::huber_loss"] = loss({f::huber, {0, 1}, Makes::promoted, "", {"delta"}});
  table["aten::soft_margin_loss"] = soft_margin_loss();
  table["aten::binary_cross_entropy"] = by_weight(2, loss({f::binary_cross_entropy, {0, 1}, Makes::promoted, "log"}),
                                                  loss({f::weighted_binary_cross_entropy, {0, 1, 2}, Makes::promoted, "log"}));
  table["aten::mse_loss_backward"] = gradient(f::squared_difference_backward);
  table["aten::smooth_l1_loss_backward"] = gradient(f::smooth_l1_backward, {"beta"});
  table["aten::huber_loss_backward"] = gradient(f::huber_backward, {"delta"});
  table["aten::soft_margin_loss_backward"] = soft_margin_loss_backward();
  table["aten::binary_cross_entropy_backward"] =
      by_weight(3, gradient(f::binary_cross_entropy_backward),
                elementwise({f::weighted_binary_cross_entropy_backward, {0, 1, 2, 3}, Makes::promoted, "", {}, divided_by_count}));
  table["aten::nll_loss_forward"] = nll_loss();
  table["aten::nll_loss2d_forward"] = nll_loss();
  table["aten::nll_loss_backward"] = nll_loss_backward();
  table["aten::nll_loss2d_backward"] = nll_loss_backward();
  table["aten::multi_margin_loss"] = multi_margin_loss();
  table["aten::multi_margin_loss_backward"] = multi_margin_loss_backward();
  table["aten::multilabel_margin_loss_forward"] = multilabel_margin_loss();
  table["aten::multilabel_margin_loss_backward"] = multilabel_margin_loss_backward();
}

}  // namespace neuroncheck::oracles
