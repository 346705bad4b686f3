#include "harness/simulator/personality.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <map>

namespace neuroncheck::simulator {
namespace {

using Quirk = Values (*)(const c10::OperatorHandle& op, Values arguments);

bool is_floating(const c10::IValue& value) { return value.isTensor() && value.toTensor().defined() && value.toTensor().is_floating_point(); }

at::Tensor only(const Values& results) { return results.front().toTensor(); }

// The argument as a tensor that a mutating kernel leaves alone.
at::Tensor saved(const c10::OperatorHandle& op, const Values& arguments, std::string_view name) {
  const c10::IValue value = argument(op, arguments, name);
  if (value.isScalar()) return at::scalar_tensor(value.toScalar(), at::kDouble);
  const auto& parameters = op.schema().arguments();
  return std::any_of(parameters.begin(), parameters.end(), &is_written) ? value.toTensor().clone() : value.toTensor();
}

Values relu(const c10::OperatorHandle& op, Values arguments) {
  Values results = call_cpu(op, std::move(arguments));
  if (is_floating(results.front())) only(results).masked_fill_(only(results).isnan(), 0);
  return results;
}

Values clamp(const c10::OperatorHandle& op, Values arguments) {
  const c10::IValue min = argument(op, arguments, "min");
  const c10::IValue bound = min.isNone() ? argument(op, arguments, "max") : min;
  // Before the call: it may be in place.
  const at::Tensor is_nan = is_floating(arguments.front()) ? arguments.front().toTensor().isnan() : at::Tensor();
  Values results = call_cpu(op, std::move(arguments));
  if (!is_floating(results.front()) || !is_nan.defined() || bound.isNone()) return results;
  const at::Tensor result = only(results);
  const at::Tensor value = bound.isScalar() ? at::scalar_tensor(bound.toScalar(), result.options()) : bound.toTensor().to(result.scalar_type());
  result.copy_(at::where(is_nan, value, result));
  return results;
}

Values sign(const c10::OperatorHandle& op, Values arguments) {
  if (!is_floating(arguments.front())) return call_cpu(op, std::move(arguments));
  const at::Tensor nan = arguments.front().toTensor().isnan();
  Values results = call_cpu(op, std::move(arguments));
  only(results).masked_fill_(nan, std::numeric_limits<double>::quiet_NaN());
  return results;
}

Values through_int32(const c10::OperatorHandle& op, Values arguments) {
  Values results = call_cpu(op, std::move(arguments));
  if (!is_floating(results.front())) return results;
  only(results).masked_fill_(only(results).isfinite().logical_not(), std::numeric_limits<std::int32_t>::min());
  return results;
}

Values rsqrt(const c10::OperatorHandle& op, Values arguments) {
  Values results = call_cpu(op, std::move(arguments));
  if (is_floating(results.front())) only(results).masked_fill_(only(results).isinf(), std::numeric_limits<double>::quiet_NaN());
  return results;
}

// x - floor(x / y) * y with a float32 quotient: nothing is left where the quotient rounds to an integer.
Values remainder(const c10::OperatorHandle& op, Values arguments) {
  constexpr double kIntegersOnly = 8388608;  // 2^23: from here on every float32 is an integer
  const at::Tensor x = saved(op, arguments, "self");
  const at::Tensor y = saved(op, arguments, "other");
  Values results = call_cpu(op, std::move(arguments));
  if (!is_floating(results.front())) return results;
  const at::Tensor result = only(results);
  const at::Tensor quotient = x.to(at::kFloat) / y.to(at::kFloat);
  const at::Tensor whole = quotient.eq(quotient.floor()).logical_and(quotient.abs().lt(kIntegersOnly));
  const at::Tensor kept = x.isinf().logical_or(y.eq(0)).logical_and(x.isnan().logical_or(y.isnan()).logical_not());
  result.copy_(at::where(kept, x.to(result.scalar_type()), at::where(whole, at::zeros_like(result), result)));
  return results;
}

// torch 2.13's CPU softmax over the last dimension writes a strided `out` as if it were contiguous, its gelu of float32 leaves one untouched; the
// device does neither.
Values contiguous_out(const c10::OperatorHandle& op, Values arguments) {
  const int out = argument_index(op, "out");
  if (out < 0 || arguments.at(static_cast<std::size_t>(out)).toTensor().is_contiguous()) return call_cpu(op, std::move(arguments));
  const at::Tensor given = arguments.at(static_cast<std::size_t>(out)).toTensor();
  const at::Tensor dense = at::empty(given.sizes(), given.options().memory_format(at::MemoryFormat::Contiguous));
  arguments.at(static_cast<std::size_t>(out)) = dense;
  Values results = call_cpu(op, std::move(arguments));
  if (!given.sizes().equals(dense.sizes())) given.resize_(dense.sizes());
  given.copy_(dense);
  results.front() = given;
  return results;
}

// torch 2.13's CPU kernel destroys the heap for the gradient of a channels_last weight of one element; the device does not. Copied always: such a
// weight counts as contiguous.
Values contiguous_weight(const c10::OperatorHandle& op, Values arguments) {
  const auto weight = static_cast<std::size_t>(argument_index(op, "weight"));
  arguments.at(weight) = arguments.at(weight).toTensor().clone(at::MemoryFormat::Contiguous);
  return call_cpu(op, std::move(arguments));
}

Values index_select(const c10::OperatorHandle& op, Values arguments) {
  const at::Tensor self = arguments.at(0).toTensor();
  const at::Tensor index = arguments.at(2).toTensor();
  if (self.dim() == 0 || self.numel() == 0 || index.numel() == 0) return call_cpu(op, std::move(arguments));
  const std::int64_t dim = at::maybe_wrap_dim(arguments.at(1).toInt(), self.dim());
  const at::Tensor outside = index.lt(0).logical_or(index.ge(self.size(dim)));
  if (!outside.any().item<bool>()) return call_cpu(op, std::move(arguments));
  arguments.at(2) = index.clamp(0, self.size(dim) - 1);
  Values results = call_cpu(op, std::move(arguments));
  const double fill = self.is_floating_point() ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  only(results).index_fill_(dim, outside.nonzero().flatten(), fill);
  return results;
}

Values without_identity(const c10::OperatorHandle& op, Values arguments) {
  const bool empty = arguments.front().toTensor().numel() == 0;
  try {
    return call_cpu(op, std::move(arguments));
  } catch (const c10::Error&) {
    TORCH_CHECK(!empty, "Cannot perform ", base_name(op), " on empty tensor (no identity value)");
    throw;
  }
}

}  // namespace

Values compute_with_personality(const c10::OperatorHandle& op, Values arguments) {
  static const std::map<std::string, Quirk, std::less<>> quirks = {
      {"relu", &relu},
      {"clamp", &clamp},
      {"clamp_min", &clamp},
      {"clamp_max", &clamp},
      {"sign", &sign},
      {"ceil", &through_int32},
      {"trunc", &through_int32},
      {"rsqrt", &rsqrt},
      {"remainder", &remainder},
      {"_softmax", &contiguous_out},
      {"_log_softmax", &contiguous_out},
      {"gelu", &contiguous_out},
      {"convolution_backward", &contiguous_weight},
      {"index_select", &index_select},
      {"max", &without_identity},
      {"min", &without_identity},
      {"amax", &without_identity},
      {"amin", &without_identity},
      {"argmax", &without_identity},
      {"argmin", &without_identity},
  };
  const auto quirk = quirks.find(base_name(op));
  return quirk == quirks.end() ? call_cpu(op, std::move(arguments)) : quirk->second(op, std::move(arguments));
}

}  // namespace neuroncheck::simulator
