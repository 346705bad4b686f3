// Between tensors and rows of pairs: what the rules along rows are made of. Needs torch.
#pragma once

#include <ATen/ATen.h>

#include <span>
#include <vector>

#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {

// The dims of a reduction (a list, one number, or none: all of them) moved to the end and made one.
PairTensor flattened(const PairTensor& self, const c10::IValue& dims);
// The sizes of the op's own first result.
std::vector<std::int64_t> sizes_of_result(const Call& call);

// One pair per row of `self`, in the sizes of the op's own result.
template <typename Formula>
PairTensor reduce_rows(const PairTensor& flat, at::IntArrayRef sizes, at::ScalarType shown, Formula formula) {
  const std::int64_t length = flat.value.size(-1);
  const at::Tensor value = flat.value.contiguous(), bound = flat.bound.defined() ? flat.bound.contiguous() : at::Tensor();
  at::Tensor new_value = at::empty(sizes, at::kDouble), new_bound = at::zeros(sizes, at::kDouble);
  for (std::int64_t r = 0; r < new_value.numel(); ++r) {
    std::vector<Pair> row(static_cast<std::size_t>(length));
    for (std::int64_t i = 0; i < length; ++i) {
      const double d = bound.defined() ? bound.const_data_ptr<double>()[r * length + i] : 0.0;
      row[static_cast<std::size_t>(i)] = {value.const_data_ptr<double>()[r * length + i], d};
    }
    const Pair y = formula(row);
    new_value.mutable_data_ptr<double>()[r] = y.value;
    new_bound.mutable_data_ptr<double>()[r] = y.bound;
  }
  return {new_value, without_zeros(new_bound), shown, false, true, nullptr};
}

// All elements, row-major, and back.
std::vector<Pair> flat_pairs(const PairTensor& pair);
PairTensor from_pairs(const std::vector<Pair>& pairs, at::IntArrayRef sizes, at::ScalarType shown);
// All elements of an argument, consumed; none where the argument is missing.
std::vector<Pair> consumed_pairs(const Call& call, std::size_t i);

inline std::span<const Pair> slice_of(const std::vector<Pair>& pairs, std::size_t row, std::size_t length) {
  return std::span<const Pair>(pairs).subspan(row * length, length);
}

}  // namespace neuroncheck::oracles
