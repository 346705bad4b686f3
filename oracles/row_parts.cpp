#include "oracles/row_parts.h"

#include <ATen/WrapDimUtils.h>

#include <algorithm>

namespace neuroncheck::oracles {

PairTensor flattened(const PairTensor& self, const c10::IValue& dims) {
  const std::int64_t rank = self.value.dim();
  std::vector<std::int64_t> reduced;
  if (dims.isInt()) reduced = {dims.toInt()};
  if (dims.isIntList()) reduced = dims.toIntVector();
  if (reduced.empty()) {
    for (std::int64_t d = 0; d < rank; ++d) reduced.push_back(d);
  }
  for (std::int64_t& d : reduced) d = at::maybe_wrap_dim(d, rank);
  std::sort(reduced.begin(), reduced.end());
  std::vector<std::int64_t> order, kept_sizes;
  for (std::int64_t d = 0; d < rank; ++d) {
    if (std::find(reduced.begin(), reduced.end(), d) != reduced.end()) continue;
    order.push_back(d);
    kept_sizes.push_back(self.value.size(d));
  }
  order.insert(order.end(), reduced.begin(), reduced.end());
  std::int64_t length = 1;
  for (const std::int64_t d : reduced) length *= rank == 0 ? 1 : self.value.size(d);
  kept_sizes.push_back(length);
  PairTensor result = self;
  result.companion = nullptr;
  result.value = self.value.permute(rank == 0 ? std::vector<std::int64_t>() : order).reshape(kept_sizes);
  if (self.bound.defined()) result.bound = self.bound.permute(rank == 0 ? std::vector<std::int64_t>() : order).reshape(kept_sizes);
  return result;
}

std::vector<std::int64_t> sizes_of_result(const Call& call) {
  return call.run([](const PairTensor& pair) { return pair.value.scalar_type() == at::kDouble ? pair.value : pair.value.to(at::kDouble); })[0]
      .sizes()
      .vec();
}

std::vector<Pair> flat_pairs(const PairTensor& pair) {
  if (!pair.value.defined()) return {};
  const at::Tensor value = pair.value.contiguous(), bound = pair.bound.defined() ? pair.bound.contiguous() : at::Tensor();
  std::vector<Pair> pairs(static_cast<std::size_t>(value.numel()));
  const double* v = value.const_data_ptr<double>();
  const double* d = bound.defined() ? bound.const_data_ptr<double>() : nullptr;
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {v[i], d == nullptr ? 0.0 : d[i]};
  return pairs;
}

PairTensor from_pairs(const std::vector<Pair>& pairs, at::IntArrayRef sizes, at::ScalarType shown) {
  at::Tensor value = at::empty(sizes, at::kDouble), bound = at::empty(sizes, at::kDouble);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    value.mutable_data_ptr<double>()[i] = pairs[i].value;
    bound.mutable_data_ptr<double>()[i] = pairs[i].bound;
  }
  return {value, without_zeros(bound), shown, false, true, nullptr};
}

std::vector<Pair> consumed_pairs(const Call& call, std::size_t i) {
  const at::Tensor tensor = call.tensor(i);
  return tensor.defined() ? flat_pairs(consumed(unwrap(tensor), tensor.scalar_type(), call.context())) : std::vector<Pair>();
}

}  // namespace neuroncheck::oracles
