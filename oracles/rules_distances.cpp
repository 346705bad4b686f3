// Distances between rows of matrices, and their gradients; the formulas are in row_norms.
#include <ATen/ATen.h>

#include "oracles/norm_rules.h"
#include "oracles/row_norms.h"
#include "oracles/row_parts.h"

namespace neuroncheck::oracles {
namespace {

using Pairs = std::vector<Pair>;

NormKind norm_kind(const Call& call, std::size_t power_position) {
  const Precision& precision = call.context().precision(call.tensor(0).scalar_type());
  return {call.argument(power_position).toDouble(), call.context().function_error("sqrt", precision),
          call.context().function_error("pow", precision)};
}

// torch/aten/src/ATen/native/Distance.cpp: above 25 rows unless compute_mode says otherwise.
SquaredDistance squared_distance(const Call& call, std::int64_t rows, std::int64_t others) {
  const std::int64_t mode = call.argument(3).isNone() ? 0 : call.argument(3).toInt();
  const bool products = mode == 1 || (mode == 0 && (rows > 25 || others > 25));
  return products ? SquaredDistance::by_products : SquaredDistance::of_differences;
}

struct Matrices {
  std::size_t batch, rows, others, length;
};

Matrices matrices_of(const at::Tensor& x, const at::Tensor& y) {
  const auto size = [](const at::Tensor& tensor, std::int64_t dim) { return static_cast<std::size_t>(tensor.size(dim)); };
  std::size_t batch = 1;
  for (std::int64_t d = 0; d < x.dim() - 2; ++d) batch *= size(x, d);
  return {batch, size(x, -2), size(y, -2), size(x, -1)};
}

// _cdist_forward(x1, x2, p, compute_mode)
std::vector<PairTensor> run_cdist(const Call& call) {
  const at::Tensor x1 = call.tensor(0), x2 = call.tensor(1);
  const Matrices shape = matrices_of(x1, x2);
  const Step& step = call.context().precision(x1.scalar_type()).step;
  const Pairs x = consumed_pairs(call, 0), y = consumed_pairs(call, 1);
  const DistanceKind kind{norm_kind(call, 2), squared_distance(call, x1.size(-2), x2.size(-2))};
  Pairs result;
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t i = 0; i < shape.rows; ++i) {
      for (std::size_t j = 0; j < shape.others; ++j) {
        const auto left = slice_of(x, b * shape.rows + i, shape.length), right = slice_of(y, b * shape.others + j, shape.length);
        result.push_back(distance_row(left, right, kind, step));
      }
    }
  }
  std::vector<std::int64_t> sizes = x1.sizes().vec();
  sizes.back() = x2.size(-2);
  return {from_pairs(result, sizes, x1.scalar_type())};
}

// _cdist_backward(grad, x1, x2, p, cdist): a row's gradient sums over the other matrix' rows.
std::vector<PairTensor> run_cdist_backward(const Call& call) {
  const at::Tensor x1 = call.tensor(1);
  const Matrices shape = matrices_of(x1, call.tensor(2));
  const Step& step = call.context().precision(x1.scalar_type()).step;
  const NormKind kind = norm_kind(call, 3);
  const Pairs grad = consumed_pairs(call, 0), x = consumed_pairs(call, 1), y = consumed_pairs(call, 2), distances = consumed_pairs(call, 4);
  Pairs result;
  for (std::size_t row = 0; row < shape.batch * shape.rows; ++row) {
    for (std::size_t k = 0; k < shape.length; ++k) {
      Pairs terms;
      for (std::size_t j = 0; j < shape.others; ++j) {
        const std::size_t other = row / shape.rows * shape.others + j, pair = row * shape.others + j;
        const Pair difference = subtract(x[row * shape.length + k], y[other * shape.length + k], step);
        terms.push_back(distance_gradient(grad[pair], {difference, distances[pair]}, kind, step));
      }
      result.push_back(sum(terms, step));
    }
  }
  return {from_pairs(result, x1.sizes(), x1.scalar_type())};
}

// _pdist_forward(self, p): the rows above the diagonal, one after the other.
std::vector<PairTensor> run_pdist(const Call& call) {
  const at::Tensor self = call.tensor(0);
  const auto rows = static_cast<std::size_t>(self.size(0)), length = static_cast<std::size_t>(self.size(1));
  const Step& step = call.context().precision(self.scalar_type()).step;
  const DistanceKind kind{norm_kind(call, 1)};
  const Pairs x = consumed_pairs(call, 0);
  Pairs result;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = i + 1; j < rows; ++j) result.push_back(distance_row(slice_of(x, i, length), slice_of(x, j, length), kind, step));
  }
  return {from_pairs(result, {static_cast<std::int64_t>(result.size())}, self.scalar_type())};
}

// _pdist_backward(grad, self, p, pdist)
std::vector<PairTensor> run_pdist_backward(const Call& call) {
  const at::Tensor self = call.tensor(1);
  const auto rows = static_cast<std::size_t>(self.size(0)), length = static_cast<std::size_t>(self.size(1));
  const Step& step = call.context().precision(self.scalar_type()).step;
  const NormKind kind = norm_kind(call, 2);
  const Pairs grad = consumed_pairs(call, 0), x = consumed_pairs(call, 1), distances = consumed_pairs(call, 3);
  std::vector<Pairs> terms(rows * length);
  for (std::size_t i = 0, pair = 0; i < rows; ++i) {
    for (std::size_t j = i + 1; j < rows; ++j, ++pair) {
      for (std::size_t k = 0; k < length; ++k) {
        const Pair difference = subtract(x[i * length + k], x[j * length + k], step);
        const Pair term = distance_gradient(grad[pair], {difference, distances[pair]}, kind, step);
        terms[i * length + k].push_back(term);
        terms[j * length + k].push_back({-term.value, term.bound});
      }
    }
  }
  Pairs result;
  for (const Pairs& one : terms) result.push_back(sum(one, step));
  return {from_pairs(result, self.sizes(), self.scalar_type())};
}

}  // namespace

Rule cdist() { return run_cdist; }
Rule cdist_backward() { return run_cdist_backward; }
Rule pdist() { return run_pdist; }
Rule pdist_backward() { return run_pdist_backward; }

}  // namespace neuroncheck::oracles
