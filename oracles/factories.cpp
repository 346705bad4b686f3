#include "oracles/factories.h"

#include <ATen/ATen.h>

#include <set>
#include <stdexcept>

#include "harness/number_format.h"

namespace neuroncheck::oracles {
namespace {

double number_of(const Argument& argument, const SymbolValues& symbols) {
  if (const auto* number = std::get_if<double>(&argument.value)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&argument.value)) return static_cast<double>(*number);
  if (const auto* symbol = std::get_if<SymbolRef>(&argument.value)) return static_cast<double>(symbols.at(static_cast<std::size_t>(symbol->symbol)));
  throw std::logic_error("arange: an argument is not a number");
}

// arange(end), arange.start(start, end), arange.start_step(start, end, step): start + i * step, each with a rounding (oracles.md 3.6).
PairTensor make_arange(const Node& node, const at::Tensor& plain, const SymbolValues& symbols, Context& context) {
  const bool starts = node.op != "aten::arange" && node.op != "aten::arange.default";
  const double start = starts ? number_of(node.arguments.at(0), symbols) : 0.0;
  const double advance = node.op == "aten::arange.start_step" ? number_of(node.arguments.at(2), symbols) : 1.0;
  const Step& step = context.precision(plain.scalar_type()).step;
  const double limit = exact_limit(step, std::min(lowest_bit(start), lowest_bit(advance)));
  at::Tensor value = at::empty(plain.sizes(), at::kDouble), bound = at::zeros(plain.sizes(), at::kDouble);
  for (std::int64_t i = 0; i < plain.numel(); ++i) {
    const double offset = static_cast<double>(i) * advance;
    value.mutable_data_ptr<double>()[i] = start + offset;
    const double size = std::abs(start) + std::abs(offset);
    if (size > limit) bound.mutable_data_ptr<double>()[i] = 2.0 * step.unit * size;
  }
  return {value, without_zeros(bound), plain.scalar_type(), false, true, nullptr};
}

}  // namespace

PairTensor make_factory_result(const Node& node, const at::Tensor& plain, const SymbolValues& symbols, Context& context) {
  static const std::set<std::string> kExact = {"aten::full",          "aten::zeros", "aten::ones",         "aten::eye",
                                               "aten::scalar_tensor", "aten::empty", "aten::empty_strided"};
  const std::string op = base_op(node.op);
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
