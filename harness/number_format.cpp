#include "harness/number_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace neuroncheck {
namespace {

constexpr std::uint64_t kSignBit = 1ULL << 63;
constexpr std::uint64_t kInfinityBits = 0x7FFULL << 52;
constexpr std::uint64_t kHiddenBit = 1ULL << 52;
constexpr std::uint64_t kFractionMask = kHiddenBit - 1;
constexpr int kBias = 1023;

constexpr NumberFormat ieee_like(int precision, int exponent_min, int bits) {
  const int exponent_max = 1 - exponent_min;
  const double largest = (2.0 - power_of_two(1 - precision)) * power_of_two(exponent_max);
  return NumberFormat{precision, exponent_min, exponent_max, bits, true, largest};
}

constexpr NumberFormat kFloat16 = ieee_like(11, -14, 16);
constexpr NumberFormat kBfloat16 = ieee_like(8, -126, 16);
constexpr NumberFormat kFloat32 = ieee_like(24, -126, 32);
constexpr NumberFormat kFloat64 = ieee_like(53, -1022, 64);
constexpr NumberFormat kFloat8E5m2 = ieee_like(3, -14, 8);
// The top exponent holds numbers; only its all-ones fraction is NaN.
constexpr NumberFormat kFloat8E4m3fn = {4, -6, 8, 8, false, 448.0};

// Exponent of a finite, non-zero magnitude, floor(log2(x)).
int exponent_of(std::uint64_t magnitude) {
  const int field = static_cast<int>(magnitude >> 52);
  return field != 0 ? field - kBias : 63 - std::countl_zero(magnitude) - 1074;
}

bool points_outward(Rounding rounding, bool negative) { return rounding == (negative ? Rounding::down : Rounding::up); }

double with_sign(double magnitude, bool negative) { return negative ? -magnitude : magnitude; }

double overflow(const NumberFormat& format, bool negative, Rounding rounding) {
  if (rounding != Rounding::nearest_even && !points_outward(rounding, negative)) return with_sign(format.largest, negative);
  if (!format.has_infinity) return std::numeric_limits<double>::quiet_NaN();
  return with_sign(std::numeric_limits<double>::infinity(), negative);
}

// A significand cut where the format ends: what is kept, what is not, and half of a unit of the former.
struct CutSignificand {
  std::uint64_t kept = 0, rest = 0, half = 0;
};

bool rounds_away(const CutSignificand& cut, Rounding rounding, bool negative) {
  if (cut.rest == 0) return false;
  if (rounding == Rounding::nearest_even) return cut.rest > cut.half || (cut.rest == cut.half && (cut.kept & 1) != 0);
  return points_outward(rounding, negative);
}

// A finite, non-zero magnitude rounded to the format: integer * 2^(exponent - precision + 1), however large.
struct RoundedMagnitude {
  std::uint64_t integer = 0;
  int exponent = 0;  // of the binade it was rounded in, at least exponent_min
};

RoundedMagnitude rounded_magnitude(const NumberFormat& format, std::uint64_t magnitude, Rounding rounding, bool negative) {
  // A subnormal float64 lies far below half of every narrower format's smallest number: only the direction counts.
  const int exponent = magnitude < kHiddenBit ? 1 - kBias - 1 : exponent_of(magnitude);
  const int binade = std::max(exponent, format.exponent_min);
  const int shift = 52 - (format.precision - 1) + binade - exponent;
  const std::uint64_t significand = (magnitude & kFractionMask) | kHiddenBit;
  const CutSignificand cut =
      shift > 53 ? CutSignificand{0, 1, 2} : CutSignificand{significand >> shift, significand & ((1ULL << shift) - 1), 1ULL << (shift - 1)};
  return {cut.kept + (rounds_away(cut, rounding, negative) ? 1 : 0), binade};
}

}  // namespace

const NumberFormat kTf32 = {11, -126, 127, 32, true, (2.0 - power_of_two(-10)) * power_of_two(127)};

const NumberFormat& format_of(Dtype dtype) {
  if (dtype == Dtype::float16) return kFloat16;
  if (dtype == Dtype::bfloat16) return kBfloat16;
  if (dtype == Dtype::float32) return kFloat32;
  if (dtype == Dtype::float64) return kFloat64;
  if (dtype == Dtype::float8_e4m3fn) return kFloat8E4m3fn;
  if (dtype == Dtype::float8_e5m2) return kFloat8E5m2;
  throw std::logic_error("no floating number format for this dtype");
}

double round_to(const NumberFormat& format, double x, Rounding rounding) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t magnitude = bits & ~kSignBit;
  const bool negative = (bits & kSignBit) != 0;
  if (magnitude == 0 || magnitude > kInfinityBits || format.precision == 53) return x;
  if (magnitude == kInfinityBits) return format.has_infinity ? x : overflow(format, negative, rounding);
  const auto [integer, exponent] = rounded_magnitude(format, magnitude, rounding, negative);
  const double result = static_cast<double>(integer) * power_of_two(exponent - format.precision + 1);
  return result > format.largest ? overflow(format, negative, rounding) : with_sign(result, negative);
}

double ulp_at(const NumberFormat& format, double x) {
  if (!std::isfinite(x)) return std::abs(x);
  const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(x) & ~kSignBit;
  const int exponent = magnitude == 0 ? format.exponent_min : std::max(exponent_of(magnitude), format.exponent_min);
  return power_of_two(exponent - format.precision + 1);
}

std::uint64_t encode(Dtype dtype, double x) {
  if (dtype == Dtype::float64) return std::bit_cast<std::uint64_t>(x);
  if (dtype == Dtype::float32 && !std::isnan(x)) return std::bit_cast<std::uint32_t>(static_cast<float>(x));
  const NumberFormat& format = format_of(dtype);
  const int fraction_bits = format.precision - 1;
  const std::uint64_t exponent_ones = (1ULL << (format.bits - 1)) - (1ULL << fraction_bits);
  const std::uint64_t nan = format.has_infinity ? exponent_ones | (1ULL << (fraction_bits - 1)) : 0x7F;
  const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(x) & ~kSignBit;
  const std::uint64_t sign = std::signbit(x) ? 1ULL << (format.bits - 1) : 0;
  if (magnitude > kInfinityBits) return nan;
  if (magnitude == 0) return sign;
  const std::uint64_t beyond = format.has_infinity ? exponent_ones : nan;  // the first code that is no finite number
  std::uint64_t code = beyond;
  if (magnitude != kInfinityBits) {
    const auto [integer, exponent] = rounded_magnitude(format, magnitude, Rounding::nearest_even, false);
    // The integer's hidden bit carries into the exponent field; a subnormal has none and leaves the field 0.
    code = std::min(beyond, (static_cast<std::uint64_t>(exponent - format.exponent_min) << fraction_bits) + integer);
  }
  return code == beyond && !format.has_infinity ? nan : sign | code;
}

double decode(Dtype dtype, std::uint64_t bits) {
  if (dtype == Dtype::float64) return std::bit_cast<double>(bits);
  if (dtype == Dtype::float32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (dtype == Dtype::bfloat16) return decode(Dtype::float32, bits << 16);
  const NumberFormat& format = format_of(dtype);
  const int fraction_bits = format.precision - 1;
  const bool negative = (bits >> (format.bits - 1) & 1) != 0;
  const std::uint64_t magnitude = bits & ((1ULL << (format.bits - 1)) - 1);
  const std::uint64_t fraction = magnitude & ((1ULL << fraction_bits) - 1);
  const int field = static_cast<int>(magnitude >> fraction_bits);
  if (!format.has_infinity && magnitude == 0x7F) return std::numeric_limits<double>::quiet_NaN();
  if (format.has_infinity && field == format.exponent_max - format.exponent_min + 2) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : with_sign(std::numeric_limits<double>::infinity(), negative);
  }
  const std::uint64_t significand = field == 0 ? fraction : fraction | (1ULL << fraction_bits);
  const int exponent = std::max(field, 1) - 1 + format.exponent_min;
  return with_sign(static_cast<double>(significand) * power_of_two(exponent - fraction_bits), negative);
}

}  // namespace neuroncheck
