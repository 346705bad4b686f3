// Tensors and reference outputs made from numbers; for the tests of this room only.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "harness/bounded.h"
#include "harness/host_tensor.h"
#include "harness/number_format.h"

namespace neuroncheck::oracles::testing_tensors {

inline std::vector<std::int64_t> sizes_or_flat(std::vector<std::int64_t> sizes, std::size_t count) {
  return sizes.empty() ? std::vector<std::int64_t>{static_cast<std::int64_t>(count)} : std::move(sizes);
}

inline HostTensor shaped(Dtype dtype, std::vector<std::int64_t> sizes, std::size_t count) {
  HostTensor tensor;
  tensor.dtype = dtype;
  tensor.sizes = sizes_or_flat(std::move(sizes), count);
  tensor.strides.assign(tensor.sizes.size(), 1);
  for (std::size_t dim = tensor.sizes.size(); dim-- > 1;) tensor.strides[dim - 1] = tensor.strides[dim] * tensor.sizes[dim];
  tensor.device = "cpu";
  tensor.bytes.resize(count * bytes_of(dtype));
  return tensor;
}

inline HostTensor tensor(Dtype dtype, const std::vector<double>& values, std::vector<std::int64_t> sizes = {}) {
  HostTensor tensor = shaped(dtype, std::move(sizes), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = encode(dtype, values[i]);
    std::memcpy(tensor.bytes.data() + i * bytes_of(dtype), &bits, bytes_of(dtype));
  }
  return tensor;
}

inline HostTensor integer_tensor(Dtype dtype, const std::vector<std::int64_t>& values, std::vector<std::int64_t> sizes = {}) {
  HostTensor tensor = shaped(dtype, std::move(sizes), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) std::memcpy(tensor.bytes.data() + i * bytes_of(dtype), &values[i], bytes_of(dtype));
  return tensor;
}

inline Bounded bounded(Dtype dtype, std::vector<double> values, std::vector<double> bounds = {}, std::vector<std::int64_t> sizes = {}) {
  Bounded expected;
  expected.dtype = dtype;
  expected.computed_in = dtype;
  expected.sizes = sizes_or_flat(std::move(sizes), values.size());
  expected.values = std::move(values);
  expected.bounds = std::move(bounds);
  return expected;
}

inline Bounded integers(std::vector<std::int64_t> values, std::vector<double> bounds = {}, std::vector<std::int64_t> sizes = {}) {
  Bounded expected;
  expected.dtype = Dtype::int64;
  expected.computed_in = Dtype::int64;
  expected.sizes = sizes_or_flat(std::move(sizes), values.size());
  expected.integers = std::move(values);
  expected.bounds = std::move(bounds);
  return expected;
}

}  // namespace neuroncheck::oracles::testing_tensors
