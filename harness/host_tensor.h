// A tensor as the harness compares it: metadata as the program saw it, and raw bits in row-major order on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/dtype.h"

namespace neuroncheck {

inline constexpr const char* kNumber = "number";

struct HostTensor {
  Dtype dtype = Dtype::float32;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  std::string device;       // "cpu", "neuron"; without an index; kNumber for a number that an op returned, which lies on none
  int alias_of_input = -1;  // shares storage with this program input (first such), or -1
  bool is_input = false;    // the very tensor that was given in (in-place forms return self)
  bool requires_grad = false;
  bool guard_broken = false;  // inputs after a step: memory behind or between their elements was written
  std::vector<std::byte> bytes;

  bool operator==(const HostTensor&) const = default;
};

// Element i as a bit pattern, zero-extended.
std::uint64_t bits_at(const HostTensor& tensor, std::size_t i);
// Element i as a number: floating and bool dtypes; integers up to 2^53 exactly.
double number_at(const HostTensor& tensor, std::size_t i);
// The elements of a floating tensor.
std::vector<double> numbers_of(const HostTensor& tensor);
std::int64_t integer_at(const HostTensor& tensor, std::size_t i);
std::size_t element_count(const HostTensor& tensor);

}  // namespace neuroncheck
