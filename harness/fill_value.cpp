#include "harness/fill_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/number_format.h"

namespace neuroncheck {
namespace {

constexpr double kIntegerSpread = 16.0;  // "normal" integers: most within +-48, all within int8

// In [0, count), count <= 2^53, from the upper 53 bits; keeps the relative place when `count` shrinks.
std::uint64_t below(std::uint64_t word, std::uint64_t count) {
  return std::min(static_cast<std::uint64_t>(unit_of(word) * static_cast<double>(count)), count - 1);
}

// "special" and "extremes" of floating formats: the second part is finite.
std::vector<double> specials_of(Dtype dtype, FillKind kind) {
  const NumberFormat& format = format_of(dtype);
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values = {0.0, -0.0, format.smallest_normal(), -format.smallest_normal(), format.largest, -format.largest};
  if (kind == FillKind::extremes) {
    values.insert(values.end(), {1.0, -1.0});
    return values;
  }
  const double subnormal = format.smallest_subnormal();
  const double largest_subnormal = format.smallest_normal() - subnormal;
  values.insert(values.end(), {subnormal, -subnormal, largest_subnormal, -largest_subnormal, std::numeric_limits<double>::quiet_NaN()});
  if (format.has_infinity) values.insert(values.end(), {infinity, -infinity});
  return values;
}

std::vector<std::int64_t> extremes_of(std::int64_t smallest, std::int64_t largest) {
  constexpr std::int64_t k24 = 1LL << 24, k31 = 1LL << 31;
  std::vector<std::int64_t> values = {smallest, smallest + 1, largest - 1, largest, -1, 0, 1};
  for (const std::int64_t edge : {k24, k31, -k24, -k31}) values.insert(values.end(), {edge - 1, edge, edge + 1});
  std::erase_if(values, [&](std::int64_t value) { return value < smallest || value > largest; });
  return values;
}

}  // namespace

bool wants_normal(FillKind kind) { return kind == FillKind::normal || kind == FillKind::ties || kind == FillKind::special; }

ElementMaker::ElementMaker(const Fill& fill, Dtype dtype) : fill_(fill), dtype_(dtype), kind_(kind_of(dtype)) {
  if (is_floating(dtype)) {
    specials_ = specials_of(dtype, fill.kind);
  } else if (is_integer(dtype)) {
    const int bits = static_cast<int>(8 * bytes_of(dtype));
    largest_ = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
    smallest_ = -largest_ - 1;
    if (dtype == Dtype::uint8) {
      smallest_ = 0;
      largest_ = 255;
    }
    extremes_ = extremes_of(smallest_, largest_);
  }
}

std::uint64_t ElementMaker::operator()(const ElementDraw& draw) const {
  if (fill_.kind == FillKind::every_pattern) return static_cast<std::uint64_t>(fill_.parameter + draw.linear);  // the store keeps the low bytes
  switch (kind_of(dtype_)) {
    case DtypeKind::floating:
      return encode(dtype_, floating(draw));
    case DtypeKind::integer:
      return static_cast<std::uint64_t>(integer(draw));
    case DtypeKind::boolean:
      return fill_.kind == FillKind::constant ? (fill_.low != 0.0 ? 1 : 0) : draw.word >> 63;
    case DtypeKind::complex:
      break;
  }
  throw std::logic_error("complex elements are made of two floating ones");
}

double ElementMaker::floating(const ElementDraw& draw) const {
  const double exponent = fill_.low + unit_of(draw.word) * (fill_.high - fill_.low);
  switch (fill_.kind) {
    case FillKind::normal:
      return draw.normal;
    case FillKind::uniform:
      return exponent;
    case FillKind::log_uniform:
      return (draw.word & 1) != 0 ? -std::exp2(exponent) : std::exp2(exponent);
    case FillKind::positive:
      return std::exp2(exponent);
    case FillKind::exact_integer:
      return static_cast<double>(exact_integer(draw.word));
    case FillKind::ties:
      return tie(draw);
    case FillKind::special:
      return (draw.word & 3) == 0 ? special(draw) : draw.normal;
    case FillKind::distinct:
      return distinct(draw.linear);
    case FillKind::repeated:
    case FillKind::index:
      return static_cast<double>(integer(draw));
    case FillKind::extremes:
      return special(draw);
    case FillKind::permutation:
      return static_cast<double>(draw.rank);
    case FillKind::probability:
      return probability(draw);
    case FillKind::constant:
      return fill_.low;
    case FillKind::every_pattern:
    case FillKind::literal:
      break;
  }
  throw std::logic_error("patterns and literals are no drawn numbers");
}

// Halves k + 0.5, and values half-way between neighbours of the next narrower format.
double ElementMaker::tie(const ElementDraw& draw) const {
  const bool half = (draw.word & 1) != 0;
  if (!half && dtype_ == Dtype::float32) {
    return decode(Dtype::float32, (encode(Dtype::float32, draw.normal) & 0xFFFF0000) | 0x8000);
  }
  if (!half && dtype_ == Dtype::float64) {
    constexpr std::uint64_t kBelowFloat32 = (1ULL << 29) - 1;
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(draw.normal) & ~kBelowFloat32) | (1ULL << 28));
  }
  return static_cast<double>((draw.word >> 1) & 15) - 7.5;
}

// Which one is chosen by low bits, which the normal numbers do not use.
double ElementMaker::special(const ElementDraw& draw) const { return specials_[(draw.word >> 2 & 0x1FF) * specials_.size() >> 9]; }

// 0, 1, 2, ... as long as the format holds them; then the negative ones; then again.
double ElementMaker::distinct(std::int64_t linear) const {
  const std::int64_t period = std::int64_t{1} << format_of(dtype_).precision;
  const auto number = static_cast<double>(linear % period);
  return (linear / period) % 2 == 0 ? number : -number - 1.0;
}

// As many bits as the format holds below 1, so that rounding never reaches 1.
double ElementMaker::probability(const ElementDraw& draw) const {
  const double steps = std::ldexp(1.0, format_of(dtype_).precision);
  return std::floor(unit_of(draw.word) * steps) / steps;
}

std::int64_t ElementMaker::integer(const ElementDraw& draw) const {
  const double number = fill_.low + unit_of(draw.word) * (fill_.high - fill_.low);
  switch (fill_.kind) {
    case FillKind::normal:
      return fit(std::nearbyint(kIntegerSpread * draw.normal));
    case FillKind::uniform:
      return fit(std::floor(number));
    case FillKind::log_uniform:
      return fit((draw.word & 1) != 0 ? -std::exp2(number) : std::exp2(number));
    case FillKind::positive:
      return std::max<std::int64_t>(1, fit(std::exp2(number)));
    case FillKind::exact_integer:
      return fit(exact_integer(draw.word));
    case FillKind::ties:
      return fit(static_cast<std::int64_t>(below(draw.word, 9)) - 4);
    case FillKind::special:
    case FillKind::extremes:
      return extremes_[below(draw.word, extremes_.size())];
    case FillKind::distinct:
      return draw.linear;
    case FillKind::repeated: {
      const std::int64_t count = fill_.parameter > 0 ? fill_.parameter : 3;
      const std::int64_t first = dtype_ == Dtype::uint8 ? 0 : count / 2;
      return static_cast<std::int64_t>(below(draw.word, static_cast<std::uint64_t>(count))) - first;
    }
    case FillKind::index:
      return static_cast<std::int64_t>(below(draw.word, static_cast<std::uint64_t>(std::max<std::int64_t>(fill_.parameter, 1))));
    case FillKind::permutation:
      return draw.rank;
    case FillKind::probability:
      return 0;
    case FillKind::constant:
      return fit(fill_.low);
    case FillKind::every_pattern:
    case FillKind::literal:
      break;
  }
  throw std::logic_error("patterns and literals are no drawn numbers");
}

// Within +-2^bits; one in sixteen is zero, since zeros hide faults in products.
std::int64_t ElementMaker::exact_integer(std::uint64_t word) const {
  const int widest = is_integer(dtype_) ? static_cast<int>(8 * bytes_of(dtype_)) - 2 : 52;
  const auto bits = static_cast<int>(std::clamp<std::int64_t>(fill_.parameter, 0, std::min(widest, 52)));
  if ((word & 15) == 0) return 0;
  const auto magnitude = static_cast<std::int64_t>(below(word, 1ULL << bits)) + 1;
  return (word & 16) != 0 ? -magnitude : magnitude;
}

// The nearest value of the dtype; uint8 takes the magnitude.
std::int64_t ElementMaker::fit(std::int64_t value) const {
  if (smallest_ == 0 && value < 0) value = -value;
  return std::clamp(value, smallest_, largest_);
}

std::int64_t ElementMaker::fit(double value) const {
  if (std::isnan(value)) return 0;
  const double magnitude = smallest_ == 0 ? std::abs(value) : value;
  if (magnitude >= static_cast<double>(largest_)) return largest_;
  return magnitude <= static_cast<double>(smallest_) ? smallest_ : static_cast<std::int64_t>(magnitude);
}

}  // namespace neuroncheck
