// What compares values and answers with places, truths or counts: exact but where an interval crosses a threshold.
#include <limits>
#include <stdexcept>

#include "oracles/index_kinds.h"
#include "oracles/row_parts.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {
namespace {

// The op with its arguments 0 and 1 replaced by these tensors.
std::vector<at::Tensor> run_with(const Call& call, const at::Tensor& first, const at::Tensor& second) {
  std::vector<at::Tensor> tensors;
  for (const at::Tensor& tensor : call.tensors()) tensors.push_back(unwrap(tensor).value);
  tensors.at(0) = first;
  tensors.at(1) = second;
  return call.run_on(tensors);
}

// searchsorted(sorted_sequence, self, ...), bucketize(self, boundaries, ...)
std::vector<PairTensor> run_search(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  if (!at::isFloatingType(shown)) return plain()(call);
  const std::size_t sequence_at = call.name() == "aten::searchsorted" ? 0 : 1;
  const PairTensor sequence = consumed(call.argument(sequence_at), shown, call.context());
  const PairTensor searched = consumed(call.argument(1 - sequence_at), shown, call.context());
  const auto run = [&](const at::Tensor& values) {
    return sequence_at == 0 ? run_with(call, sequence.value, values)[0] : run_with(call, values, sequence.value)[0];
  };
  const at::Tensor place = run(searched.value);
  PairTensor result{place, {}, place.scalar_type(), true, true, nullptr};
  if (sequence.bound.defined()) {
    result.bound = at::full(place.sizes(), static_cast<double>(sequence.value.size(-1)), at::kDouble);
  } else if (searched.bound.defined()) {
    // The place grows with the value.
    const at::Tensor high = run(searched.value.add(searched.bound)), low = run(searched.value.sub(searched.bound));
    result.bound = without_zeros(at::maximum(high.sub(place), place.sub(low)).to(at::kDouble));
  }
  return {result};
}

// isin(elements, test_elements, assume_unique, invert)
std::vector<PairTensor> run_membership(const Call& call) {
  const at::ScalarType shown = call.promoted({0, 1});
  if (!at::isFloatingType(shown)) return plain()(call);
  const PairTensor elements = consumed(call.argument(0), shown, call.context()), tested = consumed(call.argument(1), shown, call.context());
  const at::Tensor found = run_with(call, elements.value, tested.value)[0];
  PairTensor result{found, {}, at::kBool, true, true, nullptr};
  if (!elements.bound.defined() && !tested.bound.defined()) return {result};
  const at::Tensor distance = elements.value.unsqueeze(-1).sub(tested.value.reshape({-1})).abs();
  const at::Tensor slack = bound_or_zeros(elements).unsqueeze(-1).add(bound_or_zeros(tested).reshape({-1}));
  const at::Tensor surely = distance.eq(0).logical_and(slack.eq(0)).any(-1), possibly = distance.le(slack).any(-1);
  result.bound = surely.ne(possibly).to(at::kDouble);
  return {result};
}

std::vector<PairTensor> run_distinct(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  if (!at::isFloatingType(shown)) return plain()(call);
  const PairTensor self = as_seen(call.pair(0), call.context());
  if (self.bound.defined()) throw std::logic_error("how many values are distinct is in doubt: " + call.name());
  std::vector<PairTensor> results;
  for (const at::Tensor& result : call.run([&](const PairTensor&) { return self.value; })) {
    const bool is_value = result.scalar_type() == at::kDouble;
    results.push_back({result, {}, is_value ? shown : result.scalar_type(), true, true, nullptr});
  }
  return results;
}

}  // namespace

Rule search() { return run_search; }
Rule membership() { return run_membership; }
Rule distinct() { return run_distinct; }

}  // namespace neuroncheck::oracles
