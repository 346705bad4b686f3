#include "generators/fills.h"

#include <algorithm>
#include <bit>

namespace neuroncheck::generators {
namespace {

constexpr int kAccumulatorBits = 24;  // float32, also where a device demotes float64

// Significand bits that every value of the dtype can hold exactly.
int exact_bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::bool_:
      return 0;
    case Dtype::float8_e5m2:
      return 2;
    case Dtype::float8_e4m3fn:
      return 3;
    case Dtype::uint8:
    case Dtype::int8:
      return 6;
    case Dtype::bfloat16:
      return 8;
    case Dtype::float16:
      return 11;
    case Dtype::int16:
      return 14;
    case Dtype::float32:
    case Dtype::complex64:
    case Dtype::int32:
    case Dtype::int64:
    case Dtype::float64:
      return 23;
  }
  throw std::logic_error("exact_bits: unknown dtype");
}

// Half of the range of exponents that a product of two values may use without overflow.
double exponent_reach(Dtype dtype) { return dtype == Dtype::float16 ? 7.0 : 40.0; }

Fills integers(Dtype dtype) {
  return {between(lowest(dtype, -9), 10), fill_of(FillKind::extremes), between(lowest(dtype, -100), 100), counted(FillKind::repeated, 3)};
}

int bits_for(std::int64_t count) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1)))); }

}  // namespace

Fill fill_of(FillKind kind) { return {.kind = kind, .bits = {}}; }
Fill ranged(FillKind kind, double low, double high) { return {.kind = kind, .low = low, .high = high, .bits = {}}; }
Fill between(double low, double high) { return ranged(FillKind::uniform, low, high); }
Fill counted(FillKind kind, std::int64_t parameter) { return {.kind = kind, .parameter = parameter, .bits = {}}; }
double lowest(Dtype dtype, double wanted) { return dtype == Dtype::uint8 ? 0.0 : wanted; }

Fills without_special(Fills fills) {
  std::erase_if(fills, [](const Fill& fill) { return fill.kind == FillKind::special; });
  return fills;
}

Fill constant(double value) { return {.kind = FillKind::constant, .low = value, .bits = {}}; }

Fills masks() { return {counted(FillKind::repeated, 2), constant(1), constant(0)}; }

Fills indices(std::int64_t size) { return {counted(FillKind::index, size)}; }

Fills numbers(Dtype dtype) {
  switch (kind_of(dtype)) {
    case DtypeKind::boolean:
      return masks();
    case DtypeKind::integer:
      return integers(dtype);
    case DtypeKind::floating:
    case DtypeKind::complex:
      break;
  }
  const double reach = exponent_reach(dtype);
  return {fill_of(FillKind::normal),
          between(-4, 4),
          counted(FillKind::exact_integer, std::min(exact_bits(dtype), 11)),
          ranged(FillKind::log_uniform, -reach, reach),
          fill_of(FillKind::special),
          fill_of(FillKind::special),
          fill_of(FillKind::ties),
          counted(FillKind::repeated, 4)};
}

Fills positives(Dtype dtype) {
  const double reach = exponent_reach(dtype);
  return {ranged(FillKind::positive, -reach, reach), ranged(FillKind::positive, -1, 1), between(0, 100), fill_of(FillKind::special),
          fill_of(FillKind::normal)};
}

Fills moderate(Dtype dtype) {
  if (is_integer(dtype)) {
    return {between(0, 6)};
  }
  return {fill_of(FillKind::normal),
          between(-8, 8),
          between(-1, 1),
          counted(FillKind::exact_integer, 2),
          fill_of(FillKind::special),
          ranged(FillKind::log_uniform, -20, 3)};
}

Fills fractions(Dtype /*dtype*/) {
  return {between(-1, 1), ranged(FillKind::log_uniform, -20, 0), fill_of(FillKind::normal), fill_of(FillKind::special)};
}

Fills divisors(Dtype dtype) {
  if (!is_integer(dtype)) {
    return numbers(dtype);
  }
  return {between(1, 10), between(1, 100), constant(7)};
}

Fills terms(Dtype dtype, std::int64_t count) {
  if (kind_of(dtype) == DtypeKind::boolean) {
    return masks();
  }
  if (is_integer(dtype)) {
    return integers(dtype);
  }
  const int bits = std::clamp(kAccumulatorBits - bits_for(count), 1, exact_bits(dtype));
  return {fill_of(FillKind::normal),  counted(FillKind::exact_integer, bits), counted(FillKind::exact_integer, 2), between(0, 1),
          fill_of(FillKind::special), ranged(FillKind::log_uniform, -8, 8)};
}

Fills factors(Dtype dtype, std::int64_t count) {
  if (is_integer(dtype)) {
    return {between(lowest(dtype, -9), 10), between(lowest(dtype, -100), 100)};
  }
  const int widest = std::clamp((kAccumulatorBits - bits_for(count)) / 2, 1, std::min(exact_bits(dtype), 11));
  return {fill_of(FillKind::normal), counted(FillKind::exact_integer, widest), counted(FillKind::exact_integer, std::min(widest, 4)),
          counted(FillKind::exact_integer, 1), between(-1, 1)};
}

Fills markers(Dtype dtype) {
  switch (kind_of(dtype)) {
    case DtypeKind::boolean:
      return masks();
    case DtypeKind::integer:
      return {fill_of(FillKind::distinct), fill_of(FillKind::extremes), between(lowest(dtype, -100), 100)};
    case DtypeKind::floating:
    case DtypeKind::complex:
      break;
  }
  return {fill_of(FillKind::distinct), fill_of(FillKind::special), fill_of(FillKind::normal)};
}

Fills ordered(Dtype dtype) {
  switch (kind_of(dtype)) {
    case DtypeKind::boolean:
      return masks();
    case DtypeKind::integer:
      return {counted(FillKind::repeated, 3), fill_of(FillKind::extremes), between(lowest(dtype, -100), 100)};
    case DtypeKind::floating:
    case DtypeKind::complex:
      break;
  }
  return {fill_of(FillKind::normal), counted(FillKind::repeated, 3), fill_of(FillKind::special), counted(FillKind::exact_integer, 3),
          counted(FillKind::repeated, 1)};
}

}  // namespace neuroncheck::generators
