#include "oracles/linear_terms.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

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

std::int64_t dimensions_of(const Call& call) { return call.name().find("3d") != std::string::npos ? 3 : 2; }

// How many elements of `many` one of `few` may belong to at most, window by window.
double windows_of(const Call& call, const at::Tensor& many, const at::Tensor& few) {
  double count = 1.0;
  for (std::int64_t i = 1; i <= dimensions_of(call); ++i) {
    const double own = static_cast<double>(many.size(-i)), other = static_cast<double>(few.size(-i));
    count *= other == 0.0 ? 1.0 : std::min(own, std::ceil(own / other) + 1.0);
  }
  return count;
}

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

std::vector<double> terms_of_adaptive(const Call& call, const std::vector<at::Tensor>& results) {
  return {windows_of(call, call.tensor(0), results[0])};
}

std::vector<double> terms_of_adaptive_backward(const Call& call, const std::vector<at::Tensor>&) {
  return {windows_of(call, call.tensor(0), call.tensor(1))};
}

// Every output is a sum over two inputs in each dimension; every input goes into as many outputs as lie between its neighbours.
std::vector<double> terms_of_resizing(const Call& call, const std::vector<at::Tensor>& results) {
  double terms = 1.0;
  const bool backward = call.index_of("input_size") >= 0;
  const std::int64_t dimensions = results[0].dim() - 2;
  for (std::int64_t i = 1; i <= dimensions; ++i) {
    const double in = static_cast<double>(call.tensor(0).size(-i)), out = static_cast<double>(results[0].size(-i));
    terms *= !backward ? 2.0 : out == 0.0 ? 1.0 : 2.0 * std::ceil(in / out) + 2.0;
  }
  return {terms + 2.0 * static_cast<double>(dimensions)};
}

double mean_divisor(const Call&, double terms) { return terms; }

// Half-pixel coordinates are multiples of half the ratio, aligned ones of the ratio itself.
double resizing_divisor(const Call& call, double) {
  const c10::IValue* input_size = call.named("input_size");
  const std::vector<std::int64_t> input = input_size == nullptr ? call.tensor(0).sizes().vec() : input_size->toIntVector();
  const std::vector<std::int64_t> output = integers(call, "output_size");
  const c10::IValue* aligned = call.named("align_corners");
  const std::int64_t less = aligned != nullptr && aligned->toBool() ? 1 : 0;
  double divisor = 1.0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double in = static_cast<double>(input[i + 2] - less), out = static_cast<double>(output[i] - less);
    const double half_ratio = out == 0.0 ? 1.0 : in / out / 2.0;
    const double granule = lowest_bit(half_ratio);
    if (granule < 0x1p-20) return 0.0;
    divisor *= std::max(1.0, 1.0 / granule);
  }
  return divisor;
}

// adaptive_avg_pool(self, output_size), and its derivative (grad, self).
double adaptive_divisor(const Call& call, double) {
  const bool backward = call.index_of("output_size") < 0;
  const at::Tensor input = call.tensor(backward ? 1 : 0);
  double elements = 1.0;
  for (std::int64_t i = 1; i <= dimensions_of(call); ++i) {
    const std::int64_t in = input.size(-i);
    const std::vector<std::int64_t> sizes = backward ? call.tensor(0).sizes().vec() : integers(call, "output_size");
    const std::int64_t out = sizes[sizes.size() - static_cast<std::size_t>(i)];
    if (out == 0 || in % out != 0) return 0.0;
    elements *= static_cast<double>(in / out);
  }
  return elements;
}

double pooling_divisor(const Call& call, double terms) {
  const c10::IValue* override = call.named("divisor_override");
  if (override != nullptr && !override->isNone()) return std::abs(static_cast<double>(override->toInt()));
  for (const std::int64_t padding : integers(call, "padding")) {
    if (padding != 0) return 0.0;
  }
  return call.named("ceil_mode")->toBool() ? 0.0 : terms;
}

}  // namespace neuroncheck::oracles
