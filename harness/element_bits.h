// One element's bits in memory: little-endian hosts only, like libtorch's wheels.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace neuroncheck {

static_assert(std::endian::native == std::endian::little);

// Calls copy(size) with the width as a constant: a copy of a size known only at run time costs a call per element.
template <typename Copy>
void with_width(std::size_t width, Copy copy) {
  switch (width) {
    case 1:
      return copy(std::integral_constant<std::size_t, 1>());
    case 2:
      return copy(std::integral_constant<std::size_t, 2>());
    case 4:
      return copy(std::integral_constant<std::size_t, 4>());
    case 8:
      return copy(std::integral_constant<std::size_t, 8>());
    default:
      throw std::logic_error("no element is this wide");
  }
}

// `width` bytes (1, 2, 4 or 8), zero-extended.
inline std::uint64_t load(const std::byte* where, std::size_t width) {
  std::uint64_t bits = 0;
  with_width(width, [&](auto size) { std::memcpy(&bits, where, size); });
  return bits;
}

// The low `width` bytes of `bits`.
inline void store(std::byte* where, std::size_t width, std::uint64_t bits) {
  with_width(width, [&](auto size) { std::memcpy(where, &bits, size); });
}

}  // namespace neuroncheck
