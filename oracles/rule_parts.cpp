#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {
namespace {

at::Tensor last(const at::Tensor& tensor, std::int64_t dim) {
  if (!tensor.defined()) return tensor;
  return (tensor.dim() == 0 ? tensor.reshape({1}) : tensor.movedim(dim, -1)).contiguous();
}

}  // namespace

Rows::Rows(const PairTensor& input, std::int64_t dim)
    : value_(last(input.value, dim)), bound_(last(input.bound, dim)), dim_(input.value.dim() == 0 ? -1 : dim), shown_(input.shown) {
  length_ = value_.size(-1);
  count_ = length_ == 0 ? 0 : value_.numel() / length_;
}

Rows::Rows(const Rows& like, at::ScalarType shown)
    : value_(at::empty_like(like.value_)),
      bound_(at::zeros_like(like.value_)),
      dim_(like.dim_),
      count_(like.count_),
      length_(like.length_),
      shown_(shown) {}

std::vector<Pair> Rows::row(std::int64_t r) const {
  std::vector<Pair> result(static_cast<std::size_t>(length_));
  const double* v = value_.const_data_ptr<double>() + r * length_;
  const double* d = bound_.defined() ? bound_.const_data_ptr<double>() + r * length_ : nullptr;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = {v[i], d == nullptr ? 0.0 : d[i]};
  return result;
}

void Rows::set(std::int64_t r, std::int64_t i, Pair pair) {
  value_.mutable_data_ptr<double>()[r * length_ + i] = pair.value;
  bound_.mutable_data_ptr<double>()[r * length_ + i] = pair.bound;
}

void Rows::set_row(std::int64_t r, const std::vector<Pair>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) set(r, static_cast<std::int64_t>(i), row[i]);
}

PairTensor Rows::tensor() const {
  const auto back = [&](const at::Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    return dim_ == -1 ? tensor.reshape({}) : tensor.movedim(-1, dim_).contiguous();
  };
  return {back(value_), back(without_zeros(bound_)), shown_, false, true, nullptr};
}

}  // namespace neuroncheck::oracles
