#include <initializer_list>
#include <utility>

#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {
namespace {

namespace f = functions;
using Functions = std::initializer_list<std::pair<const char*, ElementFunction>>;

void approximation(const Call& call, Element& element) { element.parameter[0] = call.named("approximate")->toStringRef() == "tanh" ? 1.0 : 0.0; }

Rule unary(ElementFunction function, const std::string& error) { return elementwise({function, {0}, Makes::floating, error}); }

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
  table["aten::threshold_backward"] = elementwise({f::threshold_backward, {0, 1}, Makes::selected, "", {"threshold"}});
  table["aten::sigmoid_backward"] = elementwise({f::sigmoid_backward, {0, 1}, Makes::floating});
  table["aten::tanh_backward"] = elementwise({f::tanh_backward, {0, 1}, Makes::floating});
  table["aten::gelu_backward"] = elementwise({f::gelu_backward, {0, 1}, Makes::floating, "tanh", {}, approximation});
}

}  // namespace neuroncheck::oracles
