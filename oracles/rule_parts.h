// Loops that several kinds of rules share. Needs torch.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

#include "oracles/rules.h"

namespace neuroncheck::oracles {

// The cast that a program asks for: values are rounded to the dtype, bounds grow or vanish with them.
PairTensor cast_pair(const PairTensor& source, at::ScalarType to, Context& context);

// The values that the device reads: a leaf of a demoted dtype is narrowed first. Float64 whatever is shown.
PairTensor as_seen(PairTensor pair, Context& context);

// One function on every element; the result is representable.
template <typename Function>
PairTensor map_pairs(const PairTensor& input, at::ScalarType shown, Function function) {
  const bool floating = at::isFloatingType(shown);
  const at::Tensor value = input.value.contiguous();
  const at::Tensor bound = input.bound.defined() ? input.bound.contiguous() : at::Tensor();
  at::Tensor new_value = at::empty_like(value), new_bound = at::empty_like(value);
  const double* v = value.const_data_ptr<double>();
  const double* d = bound.defined() ? bound.const_data_ptr<double>() : nullptr;
  double* out_v = new_value.mutable_data_ptr<double>();
  double* out_d = new_bound.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < value.numel(); ++i) {
    const Pair y = function(Pair{v[i], d == nullptr ? 0.0 : d[i]});
    out_v[i] = y.value;
    out_d[i] = y.bound;
  }
  return {floating ? new_value : new_value.to(shown), without_zeros(new_bound), shown, true, true, nullptr};
}

// Elements along `dim` (already wrapped into range) as rows of pairs.
class Rows {
 public:
  Rows(const PairTensor& input, std::int64_t dim);
  // A tensor of the same rows to be filled.
  Rows(const Rows& like, at::ScalarType shown);

  std::int64_t count() const { return count_; }
  std::int64_t length() const { return length_; }
  std::vector<Pair> row(std::int64_t r) const;
  void set(std::int64_t r, std::int64_t i, Pair pair);
  void set_row(std::int64_t r, const std::vector<Pair>& row);
  PairTensor tensor() const;  // with `dim` where it was

 private:
  at::Tensor value_, bound_;  // contiguous, `dim` last
  std::int64_t dim_ = 0, count_ = 0, length_ = 0;
  at::ScalarType shown_ = at::kDouble;
};

}  // namespace neuroncheck::oracles
