// Binary number formats and rounding of float64 to them, in integer arithmetic (never through an intermediate format, which rounds twice).
// Sources: IEEE 754-2019; bfloat16 as float32's upper half; OCP OFP8 v1.0 for float8_e4m3fn (no infinity) and float8_e5m2.
#pragma once

#include <bit>
#include <cstdint>

#include "harness/dtype.h"

namespace neuroncheck {

// 2^exponent in float64, for exponents from -1074 to 1023.
constexpr double power_of_two(int exponent) {
  constexpr int kBias = 1023, kFractionBits = 52;
  const int field = exponent + kBias;
  return std::bit_cast<double>(field > 0 ? static_cast<std::uint64_t>(field) << kFractionBits : std::uint64_t{1} << (field - 1 + kFractionBits));
}

struct NumberFormat {
  int precision = 0;     // p, significand bits with the hidden one
  int exponent_min = 0;  // exponent of the smallest normal number, 2^exponent_min
  int exponent_max = 0;  // exponent of the largest finite number
  int bits = 0;          // storage width
  bool has_infinity = true;
  double largest = 0.0;  // largest finite value
  constexpr double unit_roundoff() const { return power_of_two(-precision); }
  constexpr double smallest_normal() const { return power_of_two(exponent_min); }
  constexpr double smallest_subnormal() const { return power_of_two(exponent_min - precision + 1); }
};

// Formats of the floating dtypes; throws std::logic_error for others. tf32 has no dtype: see kTf32.
const NumberFormat& format_of(Dtype dtype);
extern const NumberFormat kTf32;

enum class Rounding : std::uint8_t { nearest_even, down, up, toward_zero };

// The value of `format` next to x in the given direction. Overflow gives infinity (or NaN where there is none) when rounding to nearest and
// outward, the largest finite value when the direction points inward. NaN stays NaN; zero keeps its sign.
double round_to(const NumberFormat& format, double x, Rounding rounding = Rounding::nearest_even);

// Distance between neighbours at x (2^(max(floor(log2|x|), exponent_min) - p + 1)); of the smallest binade at 0.
double ulp_at(const NumberFormat& format, double x);

// Bits of a value that is representable in the dtype, and back. encode rounds to nearest even first. Floating dtypes only.
std::uint64_t encode(Dtype dtype, double x);
double decode(Dtype dtype, std::uint64_t bits);

}  // namespace neuroncheck
