#include "oracles/rules.h"

#include <initializer_list>
#include <utility>

#include "oracles/linear_terms.h"
#include "oracles/moves.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

namespace f = functions;
using Table = std::map<std::string, Rule>;
using Functions = std::initializer_list<std::pair<const char*, ElementFunction>>;

void scaled_by(double factor, Element& element) {
  element.parameter[0] = factor;
  // The factor may be rounded to the accumulate dtype first.
  const bool exact = std::ldexp(std::abs(factor), element.step.precision) < std::numeric_limits<double>::infinity() &&
                     lowest_bit(factor) * std::ldexp(1.0, element.step.precision) > std::abs(factor);
  element.parameter[1] = exact || factor == 0.0 ? 0.0 : element.step.unit;
}

void plus_alpha(const Call& call, Element& element) { scaled_by(number(call, "alpha"), element); }
void minus_alpha(const Call& call, Element& element) { scaled_by(-number(call, "alpha"), element); }
void plus_value(const Call& call, Element& element) { scaled_by(number(call, "value"), element); }
void approximation(const Call& call, Element& element) { element.parameter[0] = call.named("approximate")->toStringRef() == "tanh" ? 1.0 : 0.0; }

Rule unary(ElementFunction function, const std::string& error) { return elementwise({function, {0}, Makes::floating, error}); }
Rule picks(ElementFunction function, std::vector<int> operands) { return elementwise({function, std::move(operands), Makes::selected}); }
Rule compares(ElementFunction function) { return elementwise({function, {0, 1}, Makes::boolean}); }

Rule divide_by_mode() {
  const Rule none = elementwise({f::divide, {0, 1}, Makes::floating, "div"});
  const Rule floor = elementwise({f::floor_divide, {0, 1}, Makes::promoted});
  const Rule trunc = elementwise({f::divide_truncating, {0, 1}, Makes::promoted});
  return [=](const Call& call) {
    const c10::IValue& mode = *call.named("rounding_mode");
    if (mode.isNone()) return none(call);
    return mode.toStringRef() == "floor" ? floor(call) : trunc(call);
  };
}

void add_moves(Table& table) {
  for (const std::string_view op : kMoves) table["aten::" + std::string(op)] = move();
  for (const char* op : {"zeros_like", "ones_like", "full_like", "new_zeros", "new_ones", "new_full", "empty_like", "new_empty", "new_empty_strided",
                         "zero", "fill.Scalar"}) {
    table[std::string("aten::") + op] = creation();
  }
  table["aten::_to_copy"] = cast();
  table["aten::copy"] = copy();
  table["aten::fill.Tensor"] = copy();
  for (const char* op : {"nonzero", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "_local_scalar_dense", "equal"}) {
    table[std::string("aten::") + op] = plain();
  }
}

void add_elementwise(Table& table) {
  table["aten::add"] = elementwise({f::add, {0, 1}, Makes::promoted, "", {}, plus_alpha});
  table["aten::sub"] = elementwise({f::add, {0, 1}, Makes::promoted, "", {}, minus_alpha});
  table["aten::rsub"] = elementwise({f::reverse_subtract, {0, 1}, Makes::promoted, "", {}, minus_alpha});
  table["aten::mul"] = elementwise({f::multiply, {0, 1}, Makes::promoted});
  table["aten::div"] = elementwise({f::divide, {0, 1}, Makes::floating, "div"});
  table["aten::div.Tensor_mode"] = divide_by_mode();
  table["aten::div.Scalar_mode"] = divide_by_mode();
  table["aten::addcmul"] = elementwise({f::multiply_add, {0, 1, 2}, Makes::promoted, "", {}, plus_value});
  table["aten::addcdiv"] = elementwise({f::divide_add, {0, 1, 2}, Makes::floating, "div", {}, plus_value});
  table["aten::remainder"] = elementwise({f::remainder, {0, 1}, Makes::promoted});
  table["aten::floor_divide"] = elementwise({f::floor_divide, {0, 1}, Makes::promoted});
  table["aten::sqrt"] = unary(f::square_root, "sqrt");
  table["aten::reciprocal"] = unary(f::reciprocal, "div");
  table["aten::pow"] = elementwise({f::power, {0, 1}, Makes::promoted, "pow"});
  table["aten::neg"] = picks(f::negate, {0});
  table["aten::abs"] = picks(f::absolute, {0});
  table["aten::relu"] = picks(f::relu, {0});
  table["aten::sign"] = picks(f::sign, {0});
  table["aten::sgn"] = picks(f::sign, {0});
  table["aten::floor"] = picks(f::floor, {0});
  table["aten::ceil"] = picks(f::ceil, {0});
  table["aten::trunc"] = picks(f::trunc, {0});
  table["aten::round"] = picks(f::round, {0});
  table["aten::minimum"] = picks(f::minimum, {0, 1});
  table["aten::maximum"] = picks(f::maximum, {0, 1});
  table["aten::where"] = picks(f::choose, {0, 1, 2});
  table["aten::masked_fill"] = picks(f::choose, {1, 2, 0});
  table["aten::clamp"] = clamp();
  table["aten::clamp_min"] = picks(f::maximum, {0, 1});
  table["aten::clamp_max"] = picks(f::minimum, {0, 1});
  table["aten::eq"] = compares(f::equal);
  table["aten::ne"] = compares(f::not_equal);
  table["aten::lt"] = compares(f::less);
  table["aten::le"] = compares(f::less_equal);
  table["aten::gt"] = compares(f::greater);
  table["aten::ge"] = compares(f::greater_equal);
  table["aten::logical_and"] = compares(f::logical_and);
  table["aten::logical_or"] = compares(f::logical_or);
  table["aten::logical_not"] = elementwise({f::logical_not, {0}, Makes::boolean});
  table["aten::logical_xor"] = compares(f::logical_xor);
  for (const auto& [op, function] : Functions{{"isnan", f::is_nan},
                                              {"isfinite", f::is_finite},
                                              {"isinf", f::is_infinite},
                                              {"isposinf", f::is_positive_infinity},
                                              {"isneginf", f::is_negative_infinity},
                                              {"signbit", f::sign_bit}}) {
    table[std::string("aten::") + op] = elementwise({function, {0}, Makes::boolean});
  }
  table["aten::fmod"] = elementwise({f::fmod, {0, 1}, Makes::promoted});
  table["aten::fmax"] = picks(f::fmax, {0, 1});
  table["aten::fmin"] = picks(f::fmin, {0, 1});
  table["aten::copysign"] = elementwise({f::copysign, {0, 1}, Makes::floating});
  table["aten::frac"] = picks(f::frac, {0});
  table["aten::lerp"] = elementwise({f::lerp, {0, 1, 2}, Makes::promoted});
}

// Activations by their parameters.
void add_activations(Table& table) {
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

void add_functions(Table& table) {
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

void add_linear(Table& table) {
  const Linear reduction{terms_of_reduction, {{{0}}}};
  table["aten::sum"] = linear(reduction);
  table["aten::mean"] = linear({terms_of_reduction, {{{0}}}, mean_divisor});
  table["aten::cumsum"] = linear({terms_of_cumulation, {{{0}}}});
  table["aten::mm"] = linear({terms_of_product, {{{0, 1}}}});
  table["aten::bmm"] = linear({terms_of_product, {{{0, 1}}}});
  table["aten::mv"] = linear({terms_of_product, {{{0, 1}}}});
  table["aten::dot"] = linear({terms_of_product, {{{0, 1}}}});
  // addmm(self, mat1, mat2, *, beta, alpha)
  table["aten::addmm"] = linear({terms_of_added_product, {{{0, 3}, {1, 2, 4}}}});
  table["aten::addmv"] = table["aten::addmm"];
  table["aten::baddbmm"] = table["aten::addmm"];
  table["aten::convolution"] = linear({terms_of_convolution, {{{0, 1}, {2}}}});
  table["aten::convolution_backward"] = linear({terms_of_convolution_backward, {{{0, 2}}, {{0, 1}}, {{0}}}});
  table["aten::avg_pool2d"] = linear({terms_of_window, {{{0}}}, pooling_divisor});
  table["aten::avg_pool2d_backward"] = linear({terms_of_window, {{{0}}}, pooling_divisor, {1}});
  table["aten::max_pool2d_with_indices_backward"] = linear({terms_of_window, {{{0}}}, nullptr, {1}});
  table["aten::scatter_add"] = linear({terms_of_scatter, {{{0}, {3}}}});
  table["aten::index_add"] = linear({terms_of_scatter, {{{0}, {3, 4}}}});
  table["aten::embedding_dense_backward"] = linear({terms_of_indices, {{{0}}}});
  const Rule accumulated = linear({terms_of_indices, {{{0}, {2}}}});
  const Rule moved = move();
  // index_put(self, indices, values, accumulate)
  const Rule put = [=](const Call& call) { return call.argument(3).toBool() ? accumulated(call) : moved(call); };
  table["aten::index_put"] = put;
  table["aten::_index_put_impl"] = put;
}

void add_rows(Table& table) {
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

Table make_table() {
  Table table;
  add_moves(table);
  add_elementwise(table);
  add_functions(table);
  add_activations(table);
  add_linear(table);
  add_rows(table);
  return table;
}

}  // namespace

const Rule* rule_of(const std::string& base_name, const std::string& overload) {
  static const Table table = make_table();
  auto found = table.find(base_name + "." + overload);
  if (found == table.end()) found = table.find(base_name);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace neuroncheck::oracles
