#include "oracles/rules_random.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "harness/number_format.h"
#include "oracles/row_parts.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kHuge = 1e300;  // half of what is "anything from zero on" in an interval that must have a middle

// Both ends known: the interval. From zero on: an interval that every format's infinity ends. Otherwise any value.
Pair interval_of(Range range, bool floating) {
  if (std::isfinite(range.low) && std::isinf(range.high) && floating) return {kHuge, kHuge};
  if (!std::isfinite(range.low) || !std::isfinite(range.high)) return {0.0, kInfinity};
  const double middle = floating ? (range.low + range.high) / 2.0 : std::floor((range.low + range.high) / 2.0);
  return {middle, std::max(range.high - middle, middle - range.low)};
}

PairTensor filled(const at::Tensor& like, at::ScalarType shown, Range range) {
  const bool floating = at::isFloatingType(shown);
  const Pair interval = interval_of(range, floating);
  const at::Tensor value = at::full(like.sizes(), interval.value, at::kDouble);
  return {floating ? value : value.to(shown), without_zeros(at::full_like(value, interval.bound)), shown, true, true, nullptr};
}

double number_of(const Argument& argument, const SymbolValues& symbols) {
  if (const auto* number = std::get_if<std::int64_t>(&argument.value)) return static_cast<double>(*number);
  return static_cast<double>(symbols.at(static_cast<std::size_t>(std::get<SymbolRef>(argument.value).symbol)));
}

Range range_of_factory(const Node& node, const SymbolValues& symbols) {
  const auto number = [&](std::size_t i) { return number_of(node.arguments.at(i), symbols); };
  const std::string op = base_op(node.op);
  if (op == "aten::rand") return {0.0, 1.0};
  if (op == "aten::randperm") return {0.0, std::max(number(0) - 1.0, 0.0)};
  if (node.op == "aten::randint.low") return {number(0), number(1) - 1.0};
  if (op == "aten::randint") return {0.0, number(0) - 1.0};
  return {-kInfinity, kInfinity};
}

// What is not kept is zero, what is kept is divided by 1 - p: two roundings.
Pair dropped_or_scaled(Pair x, double p, const Step& step) {
  if (p == 1.0) return {0.0, std::isfinite(x.value) ? 0.0 : kInfinity};
  if (p == 0.0) return x;
  if (!std::isfinite(x.value)) return {0.0, kInfinity};  // zero times infinity
  const double scaled = x.value / (1.0 - p), carried = x.bound / (1.0 - p);
  return {scaled / 2.0, std::abs(scaled) * (0.5 + 2.0 * step.unit) + carried * (1.0 + 2.0 * step.unit) + step.tiny};
}

}  // namespace

bool draws_random_numbers(const std::string& base_op) {
  static const std::set<std::string> kRandom = {
      "aten::bernoulli",      "aten::cauchy",     "aten::exponential", "aten::geometric",        "aten::log_normal", "aten::multinomial",
      "aten::native_dropout", "aten::normal",     "aten::rand",        "aten::rand_like",        "aten::randint",    "aten::randint_like",
      "aten::randn",          "aten::randn_like", "aten::randperm",    "aten::rrelu_with_noise", "aten::uniform"};
  return kRandom.contains(base_op);
}

PairTensor drawn_by_factory(const Node& node, const at::Tensor& plain, const SymbolValues& symbols) {
  return filled(plain, plain.scalar_type(), range_of_factory(node, symbols));
}

Rule drawn(Range (*range)(const Call& call)) {
  return [=](const Call& call) -> std::vector<PairTensor> {
    const at::ScalarType shown = call.dtype_or(call.tensor(0).scalar_type());
    if (call.name().back() == '_') return {filled(call.pair(0).value, shown, range(call))};  // it would write
    const at::Tensor made = call.run([](const PairTensor& pair) { return pair.value; }).at(0);
    return {filled(made, at::isFloatingType(made.scalar_type()) ? shown : made.scalar_type(), range(call))};
  };
}

// native_dropout(input, p, train) -> output, mask
Rule dropout() {
  return [](const Call& call) -> std::vector<PairTensor> {
    PairTensor input = call.pair(0);
    input.companion = nullptr;  // no view of it
    const double p = call.argument(1).toDouble();
    const bool trains = call.argument(2).isNone() || call.argument(2).toBool();
    const at::Tensor kept = at::ones(input.value.sizes(), at::kBool);
    if (!trains) return {input, {kept, {}, at::kBool, true, true, nullptr}};
    const PairTensor x = consumed(input, input.shown, call.context());
    const Step& step = call.context().precision(input.shown).step;
    std::vector<Pair> results = flat_pairs(x);
    for (Pair& pair : results) pair = dropped_or_scaled(pair, p, step);
    const PairTensor made = from_pairs(results, x.value.sizes(), input.shown);
    const Range mask{p == 0.0 ? 1.0 : 0.0, p == 1.0 ? 0.0 : 1.0};
    return {made, filled(made.value, at::kBool, mask)};
  };
}

// rrelu_with_noise(self, noise, lower, upper, training): what is not positive is multiplied by a number between the two, which noise keeps; without
// training by their mean. That noise is written to, its schema does say; that it is a result, it does not.
Rule rrelu() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const PairTensor input = call.pair(0);
    const double lower = call.argument(2).toScalar().toDouble(), upper = call.argument(3).toScalar().toDouble();
    const bool trains = call.argument(4).toBool();
    const Step& step = call.context().precision(input.shown).step;
    std::vector<Pair> results = flat_pairs(consumed(input, input.shown, call.context())), noise(results.size(), Pair{1.0, 0.0});
    for (std::size_t i = 0; i < results.size(); ++i) {
      Pair& x = results[i];
      if (x.value - x.bound > 0.0 || std::isnan(x.value)) continue;
      const Pair slope{(lower + upper) / 2.0,
                       (trains ? std::abs(upper - lower) / 2.0 : 0.0) + step.unit * std::max(std::abs(lower), std::abs(upper))};
      const Pair scaled = multiply(x, slope, step);
      const bool may_be_positive = x.value + x.bound > 0.0;
      x = {scaled.value, scaled.bound + (may_be_positive ? std::abs(x.value - scaled.value) + x.bound : 0.0)};
      noise[i] = {slope.value, slope.bound + step.output_unit * std::abs(slope.value) + (may_be_positive ? std::abs(1.0 - slope.value) : 0.0)};
    }
    if (trains) {
      write_through(call.tensor(1), from_pairs(noise, input.value.sizes(), input.shown));
      call.context().note_written(call.tensor(1));
    }
    return {from_pairs(results, input.value.sizes(), input.shown)};
  };
}

}  // namespace neuroncheck::oracles
