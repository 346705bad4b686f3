#include "oracles/linear_terms.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace neuroncheck::oracles {
namespace {

double product_of(at::IntArrayRef sizes) { return static_cast<double>(c10::multiply_integers(sizes)); }

std::vector<std::int64_t> integers(const Call& call, std::string_view name) { return call.named(name)->toIntVector(); }

// Every scalar factor other than 1 is one more rounding.
double scalar_roundings(const Call& call) {
  double roundings = 0.0;
  for (const char* name : {"beta", "alpha"}) {
    const c10::IValue* factor = call.named(name);
    if (factor != nullptr && factor->toScalar().toDouble() != 1.0) roundings += 2.0;  // the factor itself may be rounded as well
  }
  return roundings;
}

double kernel_elements(const at::Tensor& weight) { return product_of(weight.sizes().slice(2)); }

}  // namespace

std::vector<double> terms_of_reduction(const Call& call, const std::vector<at::Tensor>& results) {
  const double outputs = static_cast<double>(results[0].numel());
  return {outputs == 0.0 ? 0.0 : static_cast<double>(call.tensor(0).numel()) / outputs};
}

std::vector<double> terms_of_cumulation(const Call& call, const std::vector<at::Tensor>&) {
  const at::Tensor self = call.tensor(0);
  return {self.dim() == 0 ? 1.0 : static_cast<double>(self.size(call.argument(1).toInt()))};
}

std::vector<double> terms_of_product(const Call& call, const std::vector<at::Tensor>&) { return {static_cast<double>(call.tensor(0).size(-1))}; }

std::vector<double> terms_of_added_product(const Call& call, const std::vector<at::Tensor>&) {
  return {static_cast<double>(call.tensor(1).size(-1)) + 1.0 + scalar_roundings(call)};
}

std::vector<double> terms_of_added_batches(const Call& call, const std::vector<at::Tensor>&) {
  const at::Tensor left = call.tensor(1);
  return {static_cast<double>(left.size(0) * left.size(2)) + 1.0 + scalar_roundings(call)};
}

std::vector<double> terms_of_diagonal(const Call& call, const std::vector<at::Tensor>&) {
  return {static_cast<double>(std::min(call.tensor(0).size(0), call.tensor(0).size(1)))};
}

std::vector<double> terms_of_convolution(const Call& call, const std::vector<at::Tensor>&) {
  const at::Tensor input = call.tensor(0), weight = call.tensor(1);
  const bool transposed = call.named("transposed")->toBool();
  const double groups = static_cast<double>(call.named("groups")->toInt());
  const double channels = transposed ? static_cast<double>(weight.size(0)) / groups : static_cast<double>(weight.size(1));
  return {channels * kernel_elements(weight) + (call.tensor(2).defined() ? 1.0 : 0.0)};
}

// grad_input sums over output channels and kernel, grad_weight and grad_bias over batch and output positions.
std::vector<double> terms_of_convolution_backward(const Call& call, const std::vector<at::Tensor>&) {
  const at::Tensor grad = call.tensor(0), input = call.tensor(1), weight = call.tensor(2);
  const bool transposed = call.named("transposed")->toBool();
  const double groups = static_cast<double>(call.named("groups")->toInt());
  const double channels = transposed ? static_cast<double>(weight.size(1)) : static_cast<double>(weight.size(0)) / groups;
  const double batch = static_cast<double>(grad.size(0));
  const double positions = product_of((transposed ? input : grad).sizes().slice(2));
  return {channels * kernel_elements(weight), batch * positions, batch * product_of(grad.sizes().slice(2))};
}

std::vector<double> terms_of_scatter(const Call& call, const std::vector<at::Tensor>&) {
  const at::Tensor index = call.tensor(2);
  // A flat index goes along `dim` of whatever rank self has: index_add, and scatters of vectors.
  return {1.0 + static_cast<double>(index.dim() < 2 ? index.numel() : index.size(call.argument(1).toInt()))};
}

std::vector<double> terms_of_indices(const Call& call, const std::vector<at::Tensor>&) {
  std::int64_t most = 1;
  for (const at::Tensor& tensor : call.tensors()) {
    if (!at::isFloatingType(tensor.scalar_type())) most = std::max(most, tensor.numel());
  }
  return {static_cast<double>(most) + 1.0};
}

std::vector<double> terms_of_window(const Call& call, const std::vector<at::Tensor>&) {
  std::vector<std::int64_t> kernel = integers(call, "kernel_size");
  if (kernel.size() == 1) kernel.push_back(kernel[0]);
  return {product_of(kernel)};
}

double mean_divisor(const Call&, double terms) { return terms; }

double pooling_divisor(const Call& call, double terms) {
  const c10::IValue* override = call.named("divisor_override");
  if (override != nullptr && !override->isNone()) return static_cast<double>(override->toInt());
  for (const std::int64_t padding : integers(call, "padding")) {
    if (padding != 0) return 0.0;
  }
  return call.named("ceil_mode")->toBool() ? 0.0 : terms;
}

}  // namespace neuroncheck::oracles
