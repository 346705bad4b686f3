#include "harness/host_tensor.h"

#include <cstring>
#include <stdexcept>

#include "harness/element_bits.h"
#include "harness/number_format.h"
#include "harness/tensor_spec.h"

namespace neuroncheck {

std::uint64_t bits_at(const HostTensor& tensor, std::size_t i) {
  const std::size_t width = bytes_of(tensor.dtype);
  if ((i + 1) * width > tensor.bytes.size()) throw std::logic_error("element outside its tensor");
  return load(tensor.bytes.data() + i * width, width);
}

double number_at(const HostTensor& tensor, std::size_t i) {
  switch (kind_of(tensor.dtype)) {
    case DtypeKind::floating:
      return decode(tensor.dtype, bits_at(tensor, i));
    case DtypeKind::boolean:
    case DtypeKind::integer:
      return static_cast<double>(integer_at(tensor, i));
    case DtypeKind::complex:
      break;
  }
  throw std::logic_error("a complex element is not one number");
}

std::vector<double> numbers_of(const HostTensor& tensor) {
  std::vector<double> numbers(element_count(tensor));
  if (tensor.bytes.size() != numbers.size() * bytes_of(tensor.dtype)) throw std::logic_error("a tensor has other bytes than elements");
  const std::byte* from = tensor.bytes.data();
  switch (tensor.dtype) {
    case Dtype::float64:
      if (!numbers.empty()) std::memcpy(numbers.data(), from, tensor.bytes.size());
      break;
    case Dtype::float32:
      for (double& number : numbers) {
        float element = 0;
        std::memcpy(&element, from, sizeof(element));
        number = static_cast<double>(element);
        from += sizeof(element);
      }
      break;
    default:
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number_at(tensor, i);
  }
  return numbers;
}

std::int64_t integer_at(const HostTensor& tensor, std::size_t i) {
  const std::uint64_t bits = bits_at(tensor, i);
  if (kind_of(tensor.dtype) == DtypeKind::boolean || tensor.dtype == Dtype::uint8) return static_cast<std::int64_t>(bits);
  if (!is_integer(tensor.dtype)) throw std::logic_error("not an integer dtype");
  const auto unused = static_cast<int>(64 - 8 * bytes_of(tensor.dtype));
  return static_cast<std::int64_t>(bits << unused) >> unused;  // sign extension
}

std::size_t element_count(const HostTensor& tensor) { return static_cast<std::size_t>(element_count(std::span(tensor.sizes))); }

}  // namespace neuroncheck
