#include <initializer_list>
#include <utility>

#include "oracles/element_gradients.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {
namespace {

namespace f = functions;
using Functions = std::initializer_list<std::pair<const char*, ElementFunction>>;

void approximation(const Call& call, Element& element) { element.parameter[0] = call.named("approximate")->toStringRef() == "tanh" ? 1.0 : 0.0; }

Rule unary(ElementFunction function, const std::string& error) { return elementwise({function, {0}, Makes::floating, error}); }

void optional_eps(const Call& call, Element& element) {
  const c10::IValue& eps = *call.named("eps");
  element.parameter[0] = eps.isNone() ? -1.0 : eps.toDouble();
}

// elu_backward(grad, alpha, scale, input_scale, is_result, self_or_result)
Rule elu_backward() {
  const Elementwise row{f::elu_backward, {0, 5}, Makes::promoted, "exp", {"alpha", "scale", "input_scale"}};
  Elementwise by_result = row;
  by_result.function = f::elu_backward_of_result;
  return by_flag(4, elementwise(by_result), elementwise(row));
}

}  // namespace

// Activations by their parameters.
void add_activations(RuleTable& table) {
  table["aten::hardtanh"] = elementwise({f::hardtanh, {0}, Makes::selected, "", {"min_val", "max_val"}});
  table["aten::hardshrink"] = elementwise({f::hardshrink, {0}, Makes::selected, "", {"lambd"}});
  table["aten::softshrink"] = elementwise({f::softshrink, {0}, Makes::promoted, "", {"lambd"}});
  table["aten::threshold"] = elementwise({f::threshold, {0}, Makes::selected, "", {"threshold", "value"}});
  table["aten::leaky_relu"] = elementwise({f::leaky_relu, {0}, Makes::promoted, "", {"negative_slope"}});
  table["aten::elu"] = elementwise({f::elu, {0}, Makes::promoted, "exp", {"alpha", "scale", "input_scale"}});
  table["aten::softplus"] = elementwise({f::softplus, {0}, Makes::promoted, "log1p", {"beta", "threshold"}});
  table["aten::mish"] = elementwise({f::mish, {0}, Makes::promoted, "tanh"});
  table["aten::hardswish"] = elementwise({f::hardswish, {0}, Makes::promoted});
  table["aten::hardsigmoid"] = elementwise({f::hardsigmoid, {0}, Makes::promoted});
  table["aten::log_sigmoid_forward"] =
      together({elementwise({f::log_sigmoid, {0}, Makes::promoted, "log1p"}), elementwise({f::exp_of_minus_magnitude, {0}, Makes::promoted, "exp"})});
  table["aten::logit"] = elementwise({f::logit, {0}, Makes::floating, "log", {}, optional_eps});
  table["aten::_prelu_kernel"] = elementwise({f::prelu, {0, 1}, Makes::promoted});
  table["aten::glu"] = glu();
}

void add_functions(RuleTable& table) {
  // Each with the error that the profile gives for its name.
  for (const auto& [op, function] :
       Functions{{"exp", f::exp},     {"exp2", f::exp2},   {"expm1", f::expm1}, {"log", f::log},   {"log2", f::log2}, {"log10", f::log10},
                 {"log1p", f::log1p}, {"rsqrt", f::rsqrt}, {"sin", f::sin},     {"cos", f::cos},   {"tan", f::tan},   {"asin", f::asin},
                 {"acos", f::acos},   {"atan", f::atan},   {"sinh", f::sinh},   {"cosh", f::cosh}, {"tanh", f::tanh}, {"asinh", f::asinh},
                 {"acosh", f::acosh}, {"atanh", f::atanh}, {"erf", f::erf},     {"erfc", f::erfc}}) {
    table[std::string("aten::") + op] = unary(function, op);
  }
  for (const auto& [op, function] : Functions{{"atan2", f::atan2}, {"hypot", f::hypot}, {"logaddexp", f::logaddexp}, {"logaddexp2", f::logaddexp2}}) {
    table[std::string("aten::") + op] = elementwise({function, {0, 1}, Makes::floating, op});
  }
  table["aten::xlogy"] = elementwise({f::xlogy, {0, 1}, Makes::floating, "log"});
  table["aten::sigmoid"] = unary(f::sigmoid, "");
  table["aten::silu"] = unary(f::silu, "");
  table["aten::gelu"] = elementwise({f::gelu, {0}, Makes::floating, "", {}, approximation});
  table["aten::sinc"] = unary(f::sinc, "sin");
  table["aten::special_entr"] = unary(f::entr, "log");
  table["aten::special_xlog1py"] = elementwise({f::xlog1py, {0, 1}, Makes::floating, "log1p"});
  table["aten::erfinv"] = unary(f::erfinv, "erfinv");
}

// (grad, self or output, ...)
void add_gradients(RuleTable& table) {
  const auto gradient = [](ElementFunction function, const std::string& error = "", std::vector<std::string> parameters = {}) {
    return elementwise({function, {0, 1}, Makes::promoted, error, std::move(parameters)});
  };
  table["aten::threshold_backward"] = elementwise({f::threshold_backward, {0, 1}, Makes::selected, "", {"threshold"}});
  table["aten::hardshrink_backward"] = elementwise({f::hardshrink_backward, {0, 1}, Makes::selected, "", {"lambd"}});
  table["aten::softshrink_backward"] = table["aten::hardshrink_backward"];
  table["aten::hardtanh_backward"] = elementwise({f::hardtanh_backward, {0, 1}, Makes::selected, "", {"min_val", "max_val"}});
  table["aten::sigmoid_backward"] = gradient(f::sigmoid_backward);
  table["aten::silu_backward"] = gradient(f::silu_backward);
  table["aten::tanh_backward"] = gradient(f::tanh_backward);
  table["aten::gelu_backward"] = elementwise({f::gelu_backward, {0, 1}, Makes::floating, "tanh", {}, approximation});
  table["aten::elu_backward"] = elu_backward();
  table["aten::hardsigmoid_backward"] = gradient(f::hardsigmoid_backward);
  table["aten::hardswish_backward"] = gradient(f::hardswish_backward);
  table["aten::leaky_relu_backward"] = gradient(f::leaky_relu_backward, "", {"negative_slope"});
  table["aten::softplus_backward"] = gradient(f::softplus_backward, "exp", {"beta", "threshold"});
  table["aten::log_sigmoid_backward"] = elementwise({f::log_sigmoid_backward, {0, 1, 2}, Makes::promoted});
  table["aten::logit_backward"] = elementwise({f::logit_backward, {0, 1}, Makes::promoted, "", {}, optional_eps});
  table["aten::_prelu_kernel_backward"] = together(
      {elementwise({f::prelu_backward_self, {0, 1, 2}, Makes::promoted}), elementwise({f::prelu_backward_weight, {0, 1, 2}, Makes::promoted})});
  table["aten::glu_backward"] = glu_backward();
  table["aten::native_dropout_backward"] = elementwise({f::dropout_backward, {0, 1}, Makes::promoted, "", {"scale"}});
}

}  // namespace neuroncheck::oracles