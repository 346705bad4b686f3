// Fills: how the values of a tensor are made. A value depends on (fill, seed, coordinates) alone, never on the tensor's size,
// so a shrunk tensor keeps the values of the coordinates that are left. Numbers come from Philox4x32-10 (Salmon et al., SC'11).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/dtype.h"

namespace neuroncheck {

enum class FillKind : std::uint8_t {
  normal,         // N(0, 1)
  uniform,        // [low, high)
  log_uniform,    // sign * 2^uniform[low, high)
  positive,       // 2^uniform[low, high), never negative
  exact_integer,  // integers in [-2^bits, 2^bits], so that sums stay exact; `parameter` = bits
  ties,           // values half-way between neighbours of a narrower format, and halves
  special,        // normal values mixed with NaN, +-inf, +-0, subnormals, largest and smallest
  distinct,       // every element another value (0, 1, 2, ... exactly representable where they can be)
  repeated,       // few different values, so that maxima and order tie; `parameter` = how many
  extremes,       // integers: smallest, largest, -1, 0, 1, around 2^24 and 2^31
  index,          // integers in [0, parameter)
  permutation,    // along the last dimension a permutation of 0 .. size-1
  probability,    // [0, 1)
  every_pattern,  // all bit patterns of the dtype in turn, from `parameter` on: sweeps of formats of 8 and 16 bits
  constant,       // `low` everywhere
  literal,        // the bits given in `bits`, one per element in row-major order
};

struct Fill {
  FillKind kind = FillKind::normal;
  double low = 0.0;
  double high = 1.0;
  std::int64_t parameter = 0;
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> bits;  // literal only: the element's bit pattern, zero-extended (complex64: real in the low half)

  bool operator==(const Fill&) const = default;
};

std::string_view name_of(FillKind kind);
FillKind parse_fill_kind(std::string_view text);

// Row-major values of a tensor of these sizes, as the dtype's bit patterns (bool: one byte 0 or 1).
// Throws std::logic_error when a literal fill has another number of elements.
std::vector<std::byte> make_values(const Fill& fill, Dtype dtype, std::span<const std::int64_t> sizes);

void to_json(nlohmann::json& json, const Fill& fill);
void from_json(const nlohmann::json& json, Fill& fill);

}  // namespace neuroncheck
