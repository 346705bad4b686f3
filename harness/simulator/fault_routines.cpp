#include "harness/simulator/fault_routines.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>

#include "harness/simulator/numerics.h"

namespace neuroncheck::simulator {
namespace {

Values right(const c10::OperatorHandle& op, Values arguments) { return compute_with_numerics(op, std::move(arguments), Rounding::nearest_even); }

Values output_truncated(const c10::OperatorHandle& op, Values arguments) {
  return compute_with_numerics(op, std::move(arguments), Rounding::toward_zero);
}

at::Tensor through_bf16(const at::Tensor& tensor) { return tensor.to(at::kBFloat16).to(at::kFloat); }

at::Tensor matmul_in_bf16(const at::Tensor& left, const at::Tensor& right_side) {
  at::Tensor sum = at::zeros({}, at::kFloat);
  for (std::int64_t k = 0; k < left.size(-1); ++k) {
    sum = through_bf16(sum + left.narrow(-1, k, 1).to(at::kFloat) * right_side.narrow(-2, k, 1).to(at::kFloat));
  }
  return sum;
}

// The reduced dimensions, wrapped; all of them when the op names none.
std::vector<std::int64_t> reduced_dims(const c10::OperatorHandle& op, const Values& arguments) {
  const std::int64_t rank = arguments.front().toTensor().dim();
  const c10::IValue dim = argument(op, arguments, "dim");
  std::vector<std::int64_t> dims;
  if (dim.isInt()) dims = {dim.toInt()};
  if (dim.isIntList()) dims = dim.toIntVector();
  for (std::int64_t& one : dims) one = at::maybe_wrap_dim(one, rank);
  if (!dims.empty() || rank == 0) return rank == 0 ? std::vector<std::int64_t>{} : dims;
  dims.resize(static_cast<std::size_t>(rank));
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

at::Tensor sum_in_bf16(at::Tensor input, std::vector<std::int64_t> dims) {
  std::sort(dims.begin(), dims.end());
  for (auto dim = dims.rbegin(); dim != dims.rend(); ++dim) input = input.movedim(*dim, -1);
  const std::int64_t kept = input.dim() - static_cast<std::int64_t>(dims.size());
  const at::Tensor rows = dims.empty() ? input.unsqueeze(-1) : input.flatten(kept);
  at::Tensor sum = at::zeros({}, at::kFloat);
  for (std::int64_t k = 0; k < rows.size(-1); ++k) sum = through_bf16(sum + rows.select(-1, k).to(at::kFloat));
  return sum;
}

Values bf16_accumulator(const c10::OperatorHandle& op, Values arguments) {
  const at::Tensor self = arguments.front().toTensor();
  Values results = right(op, arguments);
  const at::Tensor result = results.front().toTensor();
  if (!self.is_floating_point() || !result.is_floating_point() || self.numel() == 0) return results;
  const std::string name = base_name(op);
  if (name == "mm" || name == "bmm") {
    result.copy_(matmul_in_bf16(self, argument(op, arguments, "mat2").toTensor()));
  } else if (name == "addmm") {
    const at::Tensor product = matmul_in_bf16(argument(op, arguments, "mat1").toTensor(), argument(op, arguments, "mat2").toTensor());
    result.copy_(self.to(at::kFloat) * argument(op, arguments, "beta").toScalar() + product * argument(op, arguments, "alpha").toScalar());
  } else {
    at::Tensor sum = sum_in_bf16(self, reduced_dims(op, arguments));
    if (name == "mean") sum = sum * (static_cast<double>(result.numel()) / static_cast<double>(self.numel()));
    result.copy_(sum.view(result.sizes()));
  }
  return results;
}

Values reduction_drops_last(const c10::OperatorHandle& op, Values arguments) {
  constexpr std::int64_t kTile = 128;
  const at::Tensor self = arguments.front().toTensor();
  const std::vector<std::int64_t> dims = reduced_dims(op, arguments);
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= self.size(dim);
  if (dims.empty() || count % kTile == 0 || self.size(dims.back()) < 2) return right(op, std::move(arguments));
  const std::int64_t size = self.size(dims.back());
  arguments.front() = self.narrow(dims.back(), 0, size - 1);
  Values results = right(op, std::move(arguments));
  if (base_name(op) == "mean") results.front().toTensor().mul_(static_cast<double>(size - 1) / static_cast<double>(size));
  return results;
}

Values nan_swallowed(const c10::OperatorHandle& op, Values arguments) {
  const at::Tensor self = arguments.front().toTensor();
  if (self.is_floating_point()) arguments.front() = self.masked_fill(self.isnan(), -std::numeric_limits<double>::infinity());
  return right(op, std::move(arguments));
}

Values max_dim_last_tie(const c10::OperatorHandle& op, Values arguments) {
  const at::Tensor self = arguments.front().toTensor();
  const c10::IValue dim = argument(op, arguments, "dim");
  if (!dim.isInt() || self.dim() == 0) return right(op, std::move(arguments));
  arguments.front() = self.flip(dim.toInt());
  Values results = right(op, std::move(arguments));
  results.at(1).toTensor().neg_().add_(self.size(dim.toInt()) - 1);
  return results;
}

Values int64_add_wraps(const c10::OperatorHandle& op, Values arguments) {
  Values results = right(op, std::move(arguments));
  const at::Tensor result = results.front().toTensor();
  if (result.scalar_type() == at::kLong) result.copy_(result.to(at::kInt));
  return results;
}

Values index_select_off_by_one_last(const c10::OperatorHandle& op, Values arguments) {
  const at::Tensor self = arguments.front().toTensor();
  const std::int64_t size = self.dim() == 0 ? 1 : self.size(arguments.at(1).toInt());
  const at::Tensor index = arguments.at(2).toTensor();
  if (size > 1) arguments.at(2) = index.masked_fill(index.eq(size - 1), size - 2);
  return right(op, std::move(arguments));
}

Values transposed_read_as_contiguous(const c10::OperatorHandle& op, Values arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_written(op.schema().arguments()[i])) continue;
    transform_tensors(arguments[i], [](const at::Tensor& tensor) {
      const bool permuted = !tensor.is_contiguous() && tensor.is_non_overlapping_and_dense();
      return permuted ? tensor.as_strided(tensor.sizes(), c10::contiguous_strides(tensor.sizes())) : tensor;
    });
  }
  return right(op, std::move(arguments));
}

Values one_call_in_50(const c10::OperatorHandle& op, Values arguments) {
  static std::atomic<std::uint64_t> calls = 0;
  Values results = right(op, std::move(arguments));
  at::Tensor cell = results.front().toTensor();
  if (++calls % 50 != 0 || cell.numel() == 0) return results;
  while (cell.dim() > 0) cell = cell.select(0, cell.size(0) / 2);
  cell.scalar_type() == at::kBool ? cell.logical_not_() : cell.add_(1);
  return results;
}

Values crash_on_empty(const c10::OperatorHandle& op, Values arguments) {
  for (const c10::IValue& value : arguments) {
    for_each_tensor(value, [](const at::Tensor& tensor) {
      volatile int* const nowhere = nullptr;
      if (tensor.numel() == 0) *nowhere = 0;
    });
  }
  return right(op, std::move(arguments));
}

}  // namespace

FaultRoutine fault_routine(std::string_view name) {
  static const std::map<std::string_view, FaultRoutine> routines = {
      {"output_truncated", &output_truncated},
      {"bf16_accumulator", &bf16_accumulator},
      {"reduction_drops_last", &reduction_drops_last},
      {"nan_swallowed", &nan_swallowed},
      {"max_dim_last_tie", &max_dim_last_tie},
      {"int64_add_wraps", &int64_add_wraps},
      {"index_select_off_by_one_last", &index_select_off_by_one_last},
      {"transposed_read_as_contiguous", &transposed_read_as_contiguous},
      {"one_call_in_50", &one_call_in_50},
      {"crash_on_empty", &crash_on_empty},
  };
  const auto found = routines.find(name);
  return found == routines.end() ? nullptr : found->second;
}

}  // namespace neuroncheck::simulator
