// Tensors as flat rows of pairs, and back, for formulas over elements that lie anywhere. Needs torch.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "oracles/rules.h"

namespace neuroncheck::oracles {

inline std::vector<Pair> pairs_of(const PairTensor& tensor) {
  const at::Tensor value = tensor.value.contiguous(), bound = tensor.bound.defined() ? tensor.bound.contiguous() : at::Tensor();
  std::vector<Pair> pairs(static_cast<std::size_t>(value.numel()));
  const double* v = value.const_data_ptr<double>();
  const double* d = bound.defined() ? bound.const_data_ptr<double>() : nullptr;
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {v[i], d == nullptr ? 0.0 : d[i]};
  return pairs;
}

inline PairTensor tensor_of(const std::vector<Pair>& pairs, at::IntArrayRef sizes, at::ScalarType shown) {
  at::Tensor value = at::empty(sizes, at::kDouble), bound = at::empty(sizes, at::kDouble);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    value.mutable_data_ptr<double>()[i] = pairs[i].value;
    bound.mutable_data_ptr<double>()[i] = pairs[i].bound;
  }
  return {value, without_zeros(bound), shown, false, true, nullptr};
}

}  // namespace neuroncheck::oracles
