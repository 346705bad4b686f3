// Order statistics: every value of the result is one of the operand's, and moves no further than its operands do.
#include <ATen/ATen.h>

#include <limits>

#include "oracles/row_rules.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {
namespace {

// An index that may be another one: nothing is known of it.
PairTensor index_result(const at::Tensor& index, const at::Tensor& operand_bound) {
  PairTensor result{index, {}, index.scalar_type(), true, true, nullptr};
  if (operand_bound.defined()) result.bound = at::full(index.sizes(), std::numeric_limits<double>::infinity(), at::kDouble);
  return result;
}

std::vector<at::Tensor> run_shifted(const Call& call, const PairTensor& self, double direction) {
  const at::Tensor shifted = direction == 0.0 ? self.value : self.value.add(self.bound, direction);
  const at::Tensor original = call.pair(0).value;  // others (random samples) pass as they are
  return call.run([&](const PairTensor& pair) { return pair.value.is_same(original) ? shifted : pair.value; });
}

std::vector<PairTensor> run_selection(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  if (!at::isFloatingType(shown)) return plain()(call);
  const PairTensor self = consumed(call.pair(0), shown, call.context());
  const auto results = run_shifted(call, self, 0.0);
  std::vector<PairTensor> pairs;
  for (const at::Tensor& result : results) {
    if (result.scalar_type() == at::kDouble) {
      pairs.push_back({result, {}, shown, true, true, nullptr});
    } else {
      pairs.push_back(index_result(result, self.bound));
    }
  }
  if (!self.bound.defined() || results[0].scalar_type() != at::kDouble) return pairs;
  // The k-th of the shifted values encloses the k-th of any values in between.
  const auto high = run_shifted(call, self, 1.0), low = run_shifted(call, self, -1.0);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].scalar_type() != at::kDouble) continue;
    const at::Tensor width = at::maximum(high[i].sub(results[i]), results[i].sub(low[i]));
    pairs[i].bound = without_zeros(width.nan_to_num(0.0, std::numeric_limits<double>::infinity()));
  }
  return pairs;
}

// A reduction of truths: on the values, on what is surely true, and on what may be: subnormals that the device may flush, and values whose interval
// holds zero.
struct Truths {
  at::Tensor value, surely, possibly;  // the last two undefined where nothing is in doubt
};

Truths reduced_truths(const Call& call) {
  PairTensor self = call.pair(0);
  if (at::isFloatingType(self.shown)) self = consumed(self, self.shown, call.context());
  const auto run = [&](const at::Tensor& tensor) { return call.run([&](const PairTensor&) { return tensor; })[0]; };
  Truths truths{run(self.value), {}, {}};
  if (!self.bound.defined()) return truths;
  const at::Tensor unsure = self.bound.gt(0.0).logical_and(self.value.to(at::kDouble).abs().le(self.bound));
  const at::Tensor truth = self.value.ne(0);
  truths.surely = run(truth.logical_and(unsure.logical_not()));
  truths.possibly = run(truth.logical_or(unsure));
  return truths;
}

std::vector<PairTensor> run_any(const Call& call) {
  const auto [value, surely, possibly] = reduced_truths(call);
  PairTensor result{value, {}, value.scalar_type(), true, true, nullptr};
  if (surely.defined()) result.bound = surely.ne(possibly).to(at::kDouble);
  return {result};
}

std::vector<PairTensor> run_count(const Call& call) {
  const auto [value, surely, possibly] = reduced_truths(call);
  PairTensor result{value, {}, at::kLong, true, true, nullptr};
  if (surely.defined()) result.bound = at::maximum(possibly.sub(value), value.sub(surely)).to(at::kDouble);
  return {result};
}

}  // namespace

Rule selection() { return run_selection; }
Rule any_true() { return run_any; }
Rule count_true() { return run_count; }

}  // namespace neuroncheck::oracles
