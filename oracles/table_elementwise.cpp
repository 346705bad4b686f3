#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "harness/number_format.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {
namespace {

namespace f = functions;
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

Rule unary(ElementFunction function, const std::string& error) { return elementwise({function, {0}, Makes::floating, error}); }
Rule picks(ElementFunction function, std::vector<int> operands) { return elementwise({function, std::move(operands), Makes::selected}); }
Rule compares(ElementFunction function) { return elementwise({function, {0, 1}, Makes::boolean}); }

// Missing ones are 0 and the largest finite numbers of the dtype.
void replacements(const Call& call, Element& element) {
  const double largest = call.context().precision(call.pair(0).shown).stored->largest;
  const double otherwise[3] = {0.0, largest, -largest};
  for (std::size_t i = 0; i < 3; ++i) element.parameter[i] = call.argument(i + 1).isNone() ? otherwise[i] : call.argument(i + 1).toDouble();
}

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

void add_comparisons(RuleTable& table) {
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
                                              {"isinf", f::is_infinite},
                                              {"isposinf", f::is_positive_infinity},
                                              {"isneginf", f::is_negative_infinity},
                                              {"signbit", f::sign_bit}}) {
    table[std::string("aten::") + op] = elementwise({function, {0}, Makes::boolean});
  }
}

}  // namespace

void add_elementwise(RuleTable& table) {
  add_comparisons(table);
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
  table["aten::fmod"] = elementwise({f::fmod, {0, 1}, Makes::promoted});
  table["aten::fmax"] = picks(f::fmax, {0, 1});
  table["aten::fmin"] = picks(f::fmin, {0, 1});
  table["aten::copysign"] = elementwise({f::copysign, {0, 1}, Makes::floating});
  table["aten::frac"] = picks(f::frac, {0});
  table["aten::heaviside"] = picks(f::heaviside, {0, 1});
  table["aten::nan_to_num"] = elementwise({f::nan_to_num, {0}, Makes::selected, "", {}, replacements});
  table["aten::round.decimals"] = elementwise({f::round_decimals, {0}, Makes::promoted, "", {"decimals"}});
  table["aten::nextafter"] = next_after();
  table["aten::frexp"] = fraction_and_exponent();
  table["aten::ldexp"] = elementwise({f::ldexp, {0, 1}, Makes::floating, "pow"});
  for (const char* op : {"gcd", "lcm", "bitwise_left_shift", "bitwise_right_shift"}) table[std::string("aten::") + op] = plain();
  table["aten::lerp"] = elementwise({f::lerp, {0, 1, 2}, Makes::promoted});
}

}  // namespace neuroncheck::oracles
