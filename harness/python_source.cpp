#include "harness/python_source.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "harness/operators.h"

namespace neuroncheck {
namespace {

struct Style {
  const SymbolValues& symbols;  // empty: symbols are printed as names
  const std::string& prefix;
  const std::string& device;
};

// "aten::add.Tensor" -> "torch.ops.aten.add.Tensor"
std::string python_name(const std::string& op) {
  const auto colons = op.find("::");
  const auto dot = op.rfind('.');
  const std::string name = op.substr(colons + 2, dot == std::string::npos ? std::string::npos : dot - colons - 2);
  return fmt::format("torch.ops.{}.{}.{}", op.substr(0, colons), name, dot == std::string::npos ? "default" : op.substr(dot + 1));
}

// How many tensors stand before return number r is known for all but lists, which only ever come last.
std::string value_name(const Program& program, const ValueRef& ref, const std::string& prefix) {
  if (ref.node < 0) return fmt::format("{}x{}", prefix, ref.index);
  const auto& returns = find_operator(program.nodes.at(static_cast<std::size_t>(ref.node)).op).schema().returns();
  const std::string name = fmt::format("{}n{}", prefix, ref.node);
  const auto is_list = [&](std::size_t i) { return returns[i].type()->kind() == c10::TypeKind::ListType; };
  if (returns.size() == 1) return is_list(0) ? fmt::format("{}[{}]", name, ref.index) : name;
  const std::size_t last = returns.size() - 1;
  if (is_list(last) && static_cast<std::size_t>(ref.index) >= last)
    return fmt::format("{}[{}][{}]", name, last, static_cast<std::size_t>(ref.index) - last);
  return fmt::format("{}[{}]", name, ref.index);
}

std::string python_value(const Program& program, const Argument& argument, const Style& style);

struct Printer {
  const Program& program;
  const Style& style;

  std::string operator()(const None&) const { return "None"; }
  std::string operator()(bool flag) const { return flag ? "True" : "False"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return python_float(number); }
  std::string operator()(const std::string& text) const { return text.starts_with("torch.") ? text : python_text(text); }
  std::string operator()(Dtype dtype) const { return fmt::format("torch.{}", name_of(dtype)); }
  std::string operator()(const ValueRef& ref) const { return value_name(program, ref, style.prefix); }
  std::string operator()(const SymbolRef& ref) const {
    if (style.symbols.empty()) return fmt::format("{}s{}", style.prefix, ref.symbol);
    return std::to_string(style.symbols.at(static_cast<std::size_t>(ref.symbol)));
  }
  std::string operator()(const ArgumentList& list) const {
    std::string text;
    for (const Argument& element : list) text += (text.empty() ? "" : ", ") + python_value(program, element, style);
    return "[" + text + "]";
  }
};

std::string python_value(const Program& program, const Argument& argument, const Style& style) {
  return std::visit(Printer{program, style}, argument.value);
}

std::string python_call(const Program& program, const Node& node, const Style& style) {
  const auto& parameters = find_operator(node.op).schema().arguments();
  std::string text;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool device = is_device(*parameters[i].type());
    if (!device && i >= node.arguments.size()) continue;
    const std::string value = device ? style.device : python_value(program, node.arguments[i], style);
    const bool by_name = parameters[i].kwarg_only() || i > node.arguments.size();
    text += (text.empty() ? "" : ", ") + (by_name ? parameters[i].name() + "=" + value : value);
  }
  for (std::size_t i = parameters.size(); i < node.arguments.size(); ++i) text += ", " + python_value(program, node.arguments[i], style);
  return fmt::format("{}({})", python_name(node.op), text);
}

}  // namespace

std::string python_float(double number) {
  if (std::isfinite(number)) {
    const std::string text = fmt::format("{}", number);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  if (std::isnan(number)) return "float(\"nan\")";
  return number > 0 ? "float(\"inf\")" : "float(\"-inf\")";
}

std::string python_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "\"";
}

std::string python_statements(const Program& program, const SymbolValues& symbols, const std::string& prefix, int indent, const std::string& device) {
  std::string text;
  const Style style{symbols, prefix, device};
  for (std::size_t i = 0; i < program.nodes.size(); ++i)
    text += fmt::format("{:{}}{}n{} = {}\n", "", indent, prefix, i, python_call(program, program.nodes[i], style));
  return text;
}

std::string python_outputs(const Program& program, const std::string& prefix) {
  std::string text;
  for (const ValueRef& ref : program.outputs) text += value_name(program, ref, prefix) + ", ";
  return "(" + text + ")";
}

}  // namespace neuroncheck
