// One element's bits in memory: little-endian hosts only, like libtorch's wheels.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace neuroncheck {

static_assert(std::endian::native == std::endian::little);

// `width` bytes (1, 2, 4 or 8), zero-extended. A copy of a known size each: one of a size known only at run time costs a call per element.
inline std::uint64_t load(const std::byte* where, std::size_t width) {
  std::uint64_t bits = 0;
  switch (width) {
    case 1:
      std::memcpy(&bits, where, 1);
      return bits;
    case 2:
      std::memcpy(&bits, where, 2);
      return bits;
    case 4:
      std::memcpy(&bits, where, 4);
      return bits;
    case 8:
      std::memcpy(&bits, where, 8);
      return bits;
    default:
      throw std::logic_error("no element is this wide");
  }
}

// The low `width` bytes of `bits`.
inline void store(std::byte* where, std::size_t width, std::uint64_t bits) {
  switch (width) {
    case 1:
      std::memcpy(where, &bits, 1);
      return;
    case 2:
      std::memcpy(where, &bits, 2);
      return;
    case 4:
      std::memcpy(where, &bits, 4);
      return;
    case 8:
      std::memcpy(where, &bits, 8);
      return;
    default:
      throw std::logic_error("no element is this wide");
  }
}

}  // namespace neuroncheck
