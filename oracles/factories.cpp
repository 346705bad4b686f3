#include "oracles/factories.h"

#include <ATen/ATen.h>

#include <set>
#include <stdexcept>

#include "oracles/rules_creation.h"
#include "oracles/rules_random.h"

namespace neuroncheck::oracles {
namespace {

double number_of(const Argument& argument, const SymbolValues& symbols) {
  if (const auto* number = std::get_if<double>(&argument.value)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&argument.value)) return static_cast<double>(*number);
  if (const auto* flag = std::get_if<bool>(&argument.value)) return *flag ? 1.0 : 0.0;
  if (const auto* symbol = std::get_if<SymbolRef>(&argument.value)) return static_cast<double>(symbols.at(static_cast<std::size_t>(symbol->symbol)));
  throw std::logic_error("a factory's argument is not a number");
}

// arange(end), arange.start(start, end), arange.start_step(start, end, step)
PairTensor make_arange(const Node& node, const at::Tensor& plain, const SymbolValues& symbols, Context& context) {
  const bool starts = node.op != "aten::arange" && node.op != "aten::arange.default";
  const double start = starts ? number_of(node.arguments.at(0), symbols) : 0.0;
  const double advance = node.op == "aten::arange.start_step" ? number_of(node.arguments.at(2), symbols) : 1.0;
  return arange_values({start, advance}, plain.sizes(), plain.scalar_type(), context);
}

// linspace(start, end, steps), logspace(start, end, steps, base)
PairTensor make_space(const Node& node, const at::Tensor& plain, const SymbolValues& symbols, Context& context) {
  const auto end = [&](std::size_t i) { return end_of_span(number_of(node.arguments.at(i), symbols), plain.scalar_type(), context); };
  const PairTensor values = linspace_values({end(0), end(1), plain.numel()}, plain.scalar_type(), context);
  if (base_op(node.op) == "aten::linspace") return values;
  return logspace_values(values, node.arguments.size() > 3 ? number_of(node.arguments[3], symbols) : 10.0, context);
}

}  // namespace

PairTensor make_factory_result(const Node& node, const at::Tensor& plain, const SymbolValues& symbols, Context& context) {
  static const std::set<std::string> kExact = {"aten::full",          "aten::zeros", "aten::ones",           "aten::eye",
                                               "aten::scalar_tensor", "aten::empty", "aten::empty_permuted", "aten::empty_strided"};
  const std::string op = base_op(node.op);
  if (draws_random_numbers(op)) return drawn_by_factory(node, plain, symbols);
  if (op == "aten::linspace" || op == "aten::logspace") return make_space(node, plain, symbols, context);
  if (op == "aten::arange") return make_arange(node, plain, symbols, context);
  if (kExact.contains(op)) {
    const PairTensor made{plain.to(at::kDouble), {}, plain.scalar_type(), true, false, nullptr};
    if (context.profile().demotion_exempt.contains(op)) return made;
    PairTensor narrowed = consumed(made, made.shown, context);
    narrowed.narrowed = true;
    return narrowed;
  }
  throw std::logic_error("the reference has no rule for " + node.op);
}

}  // namespace neuroncheck::oracles
