#include "harness/number_format.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "harness/random.h"

namespace neuroncheck {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Narrow {
  Dtype dtype;
  std::uint64_t codes;
};
const std::vector<Narrow> kNarrow = {
    {Dtype::bfloat16, 1 << 16}, {Dtype::float16, 1 << 16}, {Dtype::float8_e4m3fn, 1 << 8}, {Dtype::float8_e5m2, 1 << 8}};

// All finite non-negative values, ascending: codes count upwards with the value.
std::vector<double> magnitudes(const Narrow& narrow) {
  std::vector<double> values;
  for (std::uint64_t code = 0; code < narrow.codes / 2; ++code) {
    const double value = decode(narrow.dtype, code);
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)); }

// Rounds x, which lies strictly between the neighbours low and high.
void expect_between(const NumberFormat& format, double x, double low, double high, double nearest) {
  ASSERT_TRUE(same(round_to(format, x), nearest)) << x;
  ASSERT_TRUE(same(round_to(format, x, Rounding::down), low)) << x;
  ASSERT_TRUE(same(round_to(format, x, Rounding::up), high)) << x;
  ASSERT_TRUE(same(round_to(format, x, Rounding::toward_zero), low)) << x;
  ASSERT_TRUE(same(round_to(format, -x), -nearest)) << x;
  ASSERT_TRUE(same(round_to(format, -x, Rounding::down), -high)) << x;
  ASSERT_TRUE(same(round_to(format, -x, Rounding::up), -low)) << x;
  ASSERT_TRUE(same(round_to(format, -x, Rounding::toward_zero), -low)) << x;
}

TEST(NumberFormat, EncodesEveryNarrowCodeBack) {
  for (const Narrow& narrow : kNarrow) {
    for (std::uint64_t code = 0; code < narrow.codes; ++code) {
      const double value = decode(narrow.dtype, code);
      if (std::isnan(value)) {
        ASSERT_TRUE(std::isnan(decode(narrow.dtype, encode(narrow.dtype, value))));
        continue;
      }
      ASSERT_EQ(encode(narrow.dtype, value), code) << name_of(narrow.dtype);
      ASSERT_TRUE(same(round_to(format_of(narrow.dtype), value), value)) << name_of(narrow.dtype) << code;
      ASSERT_TRUE(same(round_to(format_of(narrow.dtype), value, Rounding::up), value));
    }
  }
}

TEST(NumberFormat, CountsTheCodesOfEachClass) {
  const auto count = [](const Narrow& narrow, auto&& is_class) {
    std::uint64_t n = 0;
    for (std::uint64_t code = 0; code < narrow.codes; ++code) n += is_class(decode(narrow.dtype, code)) ? 1U : 0U;
    return n;
  };
  const auto nan = [](double x) { return std::isnan(x); };
  const auto infinite = [](double x) { return std::isinf(x); };
  EXPECT_EQ(count(kNarrow[0], nan), 2U * 127);
  EXPECT_EQ(count(kNarrow[1], nan), 2U * 1023);
  EXPECT_EQ(count(kNarrow[2], nan), 2U);
  EXPECT_EQ(count(kNarrow[3], nan), 2U * 3);
  EXPECT_EQ(count(kNarrow[1], infinite), 2U);
  EXPECT_EQ(count(kNarrow[2], infinite), 0U);
}

TEST(NumberFormat, RoundsAroundEveryMidpointInEveryMode) {
  for (const Narrow& narrow : kNarrow) {
    const NumberFormat& format = format_of(narrow.dtype);
    const std::vector<double> values = magnitudes(narrow);
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const double low = values[i], high = values[i + 1], middle = low + (high - low) / 2;
      expect_between(format, middle, low, high, i % 2 == 0 ? low : high);
      expect_between(format, std::nextafter(middle, 0.0), low, high, low);
      expect_between(format, std::nextafter(middle, kInfinity), low, high, high);
      expect_between(format, std::nextafter(high, 0.0), low, high, high);
      expect_between(format, std::nextafter(low, kInfinity), low, high, low);
      ASSERT_EQ(ulp_at(format, low), high - low) << name_of(narrow.dtype) << " " << low;
    }
  }
}

TEST(NumberFormat, NeverRoundsTwice) {
  const double x = 1.0 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(round_to(format_of(Dtype::bfloat16), x), 1.0078125);
  EXPECT_EQ(round_to(format_of(Dtype::bfloat16), static_cast<double>(static_cast<float>(x))), 1.0) << "the trap itself";
  EXPECT_EQ(round_to(format_of(Dtype::bfloat16), 1.0 + 0x1p-8), 1.0);
}

TEST(NumberFormat, OverflowsByTheRules) {
  for (const Narrow& narrow : kNarrow) {
    const NumberFormat& format = format_of(narrow.dtype);
    EXPECT_EQ(format.largest, magnitudes(narrow).back()) << name_of(narrow.dtype);
    const double beyond = format.has_infinity ? kInfinity : std::numeric_limits<double>::quiet_NaN();
    const double edge = format.largest + ulp_at(format, format.largest) / 2;
    // The edge is a tie with the code after the largest: even in formats whose largest has an odd code, odd in e4m3fn.
    EXPECT_TRUE(same(round_to(format, edge), format.has_infinity ? kInfinity : format.largest)) << name_of(narrow.dtype);
    EXPECT_EQ(round_to(format, std::nextafter(edge, 0.0)), format.largest);
    for (const double x : {std::nextafter(edge, kInfinity), 1e300, kInfinity}) {
      EXPECT_TRUE(same(round_to(format, x), beyond));
      EXPECT_TRUE(same(round_to(format, x, Rounding::up), beyond));
      if (std::isinf(x) && format.has_infinity) continue;
      EXPECT_EQ(round_to(format, x, Rounding::down), format.largest);
      EXPECT_EQ(round_to(format, -x, Rounding::toward_zero), -format.largest);
      EXPECT_EQ(round_to(format, -x, Rounding::up), -format.largest);
    }
  }
}

TEST(NumberFormat, KeepsTinyValuesOnTheirSide) {
  const NumberFormat& format = format_of(Dtype::bfloat16);
  const double smallest = format.smallest_subnormal();
  EXPECT_EQ(smallest, 0x1p-133);
  for (const double x : {0x1p-300, 5e-324, 0x1p-1023}) {
    EXPECT_TRUE(same(round_to(format, x), 0.0));
    EXPECT_TRUE(same(round_to(format, -x), -0.0));
    EXPECT_EQ(round_to(format, x, Rounding::up), smallest);
    EXPECT_EQ(round_to(format, -x, Rounding::down), -smallest);
    EXPECT_TRUE(same(round_to(format, -x, Rounding::up), -0.0));
  }
  EXPECT_TRUE(same(round_to(format, -0.0), -0.0));
  EXPECT_TRUE(std::isnan(round_to(format, std::numeric_limits<double>::quiet_NaN(), Rounding::up)));
}

TEST(NumberFormat, AgreesWithTheHardwareOnFloat32) {
  for (std::uint64_t i = 0; i < 400000; ++i) {
    const auto words = philox(7, i, 0);
    const double any = std::bit_cast<double>(std::uint64_t{words[0]} << 32 | words[1]);
    // Every other value in float32's own range, so that subnormals and the overflow edge are met.
    const double x = i % 2 == 0 ? any : std::ldexp(1.0 + words[1] * 0x1p-32, static_cast<int>(words[2] % 290) - 155);
    const double hardware = static_cast<double>(static_cast<float>(x));
    ASSERT_TRUE(same(round_to(format_of(Dtype::float32), x), hardware)) << x;
    ASSERT_TRUE(same(decode(Dtype::float32, words[0]), static_cast<double>(std::bit_cast<float>(words[0]))));
    if (std::isnan(x)) continue;
    ASSERT_EQ(encode(Dtype::float32, x), std::bit_cast<std::uint32_t>(static_cast<float>(x)));
  }
}

TEST(NumberFormat, LeavesFloat64Alone) {
  for (const double x : {0.1, -5e-324, 1.7976931348623157e308, -kInfinity, -0.0}) {
    EXPECT_TRUE(same(round_to(format_of(Dtype::float64), x, Rounding::up), x));
    EXPECT_EQ(encode(Dtype::float64, x), std::bit_cast<std::uint64_t>(x));
    EXPECT_TRUE(same(decode(Dtype::float64, encode(Dtype::float64, x)), x));
  }
  EXPECT_EQ(ulp_at(format_of(Dtype::float64), 1.0), 0x1p-52);
  EXPECT_EQ(ulp_at(format_of(Dtype::float64), 0.0), 5e-324);
}

TEST(NumberFormat, KnowsTf32) {
  EXPECT_EQ(round_to(kTf32, 1.0 + 0x1p-11), 1.0);
  EXPECT_EQ(round_to(kTf32, 1.0 + 0x1.8p-11), 1.0 + 0x1p-10);
  EXPECT_EQ(kTf32.unit_roundoff(), 0x1p-11);
  EXPECT_EQ(round_to(kTf32, std::numeric_limits<float>::max()), kInfinity);
}

TEST(NumberFormat, RoundsMonotonically) {
  EXPECT_TRUE(rc::check("x <= y implies round(x) <= round(y) in every mode, and down <= x <= up", [] {
    const auto dtype = *rc::gen::elementOf(std::vector<Dtype>{Dtype::bfloat16, Dtype::float16, Dtype::float32, Dtype::float8_e5m2});
    const NumberFormat& format = format_of(dtype);
    double x = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
    if (std::isnan(x)) return;
    if (*rc::gen::arbitrary<bool>()) x = std::fmod(x, 2.0);
    const double y = x + std::abs(x) * *rc::gen::inRange(0, 1000) * 1e-5;
    for (const Rounding rounding : {Rounding::nearest_even, Rounding::down, Rounding::up, Rounding::toward_zero}) {
      RC_ASSERT(round_to(format, x, rounding) <= round_to(format, y, rounding));
    }
    RC_ASSERT(round_to(format, x, Rounding::down) <= x);
    RC_ASSERT(round_to(format, x, Rounding::up) >= x);
  }));
}

TEST(NumberFormat, HasNoFormatForIntegers) { EXPECT_THROW(format_of(Dtype::int32), std::logic_error); }

}  // namespace
}  // namespace neuroncheck
