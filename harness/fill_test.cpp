#include "harness/fill.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>

#include "harness/host_tensor.h"
#include "harness/number_format.h"
#include "harness/random.h"
#include "harness/tensor_spec.h"

namespace neuroncheck {
namespace {

using Sizes = std::vector<std::int64_t>;

Fill of(FillKind kind, std::int64_t parameter = 0) { return Fill{.kind = kind, .parameter = parameter, .seed = 11, .bits = {}}; }

std::vector<double> numbers(const Fill& fill, Dtype dtype, const Sizes& sizes) {
  const HostTensor tensor{.dtype = dtype, .sizes = sizes, .strides = {}, .device = "cpu", .bytes = make_values(fill, dtype, sizes)};
  std::vector<double> values;
  for (std::size_t i = 0; i < element_count(tensor); ++i) values.push_back(number_at(tensor, i));
  return values;
}

TEST(Random, KnowsThePublishedAnswers) {
  // Random123's known answers for philox4x32-10.
  EXPECT_EQ(philox(0, 0, 0), (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox(~0ULL, ~0ULL, ~0ULL), (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(Fill, DependsOnCoordinatesAndNotOnSizes) {
  EXPECT_TRUE(rc::check([] {
    const auto kind = static_cast<FillKind>(*rc::gen::inRange(0, static_cast<int>(FillKind::constant)));
    if (kind == FillKind::distinct || kind == FillKind::permutation || kind == FillKind::every_pattern) return;  // those know the whole row
    const Dtype dtype = *rc::gen::elementOf(std::vector<Dtype>(kAllDtypes.begin(), kAllDtypes.end()));
    Fill fill = of(kind, 4);
    fill.seed = *rc::gen::arbitrary<std::uint64_t>();
    const std::size_t width = bytes_of(dtype);
    const std::vector<std::byte> large = make_values(fill, dtype, Sizes{3, 4, 5});
    const std::vector<std::byte> small = make_values(fill, dtype, Sizes{2, 3, 4});
    for (std::size_t i = 0; i < 2 * 3 * 4; ++i) {
      const std::size_t there = (i / 12 * 4 + i / 4 % 3) * 5 + i % 4;
      RC_ASSERT(std::memcmp(small.data() + i * width, large.data() + there * width, width) == 0);
    }
    RC_ASSERT(make_values(fill, dtype, Sizes{1, 4, 5}) == make_values(fill, dtype, Sizes{4, 5}));
  }));
}

TEST(Fill, DrawsNormalNumbers) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16}) {
    const std::vector<double> values = numbers(of(FillKind::normal), dtype, {100, 101});
    double sum = 0.0, squares = 0.0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
    }
    const auto count = static_cast<double>(values.size());
    EXPECT_NEAR(sum / count, 0.0, 0.05) << name_of(dtype);  // five standard errors of 10100 draws
    EXPECT_NEAR(squares / count, 1.0, 0.07) << name_of(dtype);
  }
}

TEST(Fill, MixesSpecialValuesAmongNormalOnes) {
  const std::vector<double> values = numbers(of(FillKind::special), Dtype::float16, {100, 100});
  const NumberFormat& format = format_of(Dtype::float16);
  std::map<std::string, int> seen;
  for (const double value : values) {
    if (std::isnan(value)) ++seen["nan"];
    if (std::isinf(value)) ++seen[value > 0 ? "inf" : "-inf"];
    if (value == 0.0) ++seen[std::signbit(value) ? "-0" : "0"];
    if (value != 0.0 && std::abs(value) < format.smallest_normal()) ++seen["subnormal"];
    if (std::abs(value) == format.smallest_normal()) ++seen["smallest normal"];
    if (std::abs(value) == format.largest) ++seen["largest"];
  }
  for (const char* kind : {"nan", "inf", "-inf", "0", "-0", "subnormal", "smallest normal", "largest"}) EXPECT_GT(seen[kind], 50) << kind;
  int special = 0;
  for (const auto& [kind, count] : seen) special += count;
  EXPECT_NEAR(special, 2500, 300);
}

TEST(Fill, KeepsExactIntegersSmallAndSeldomZero) {
  for (const Dtype dtype : {Dtype::float32, Dtype::bfloat16, Dtype::int64, Dtype::int8}) {
    const std::vector<double> values = numbers(of(FillKind::exact_integer, 3), dtype, {1000});
    for (const double value : values) EXPECT_TRUE(value == std::floor(value) && std::abs(value) <= 8.0) << value;
    EXPECT_LT(std::count(values.begin(), values.end(), 0.0), 120) << name_of(dtype);
    EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), 17U);
  }
}

TEST(Fill, DrawsTies) {
  int midpoints = 0;
  for (const double value : numbers(of(FillKind::ties), Dtype::float32, {1000})) {
    const bool half = std::abs(value) - std::floor(std::abs(value)) == 0.5;
    const bool midpoint = (encode(Dtype::float32, value) & 0xFFFF) == 0x8000;
    EXPECT_TRUE(half || midpoint) << value;
    midpoints += midpoint ? 1 : 0;
  }
  EXPECT_NEAR(midpoints, 500, 100);
}

TEST(Fill, KeepsDistinctValuesDistinct) {
  for (const auto& [dtype, count] : std::map<Dtype, std::int64_t>{
           {Dtype::float32, 5000}, {Dtype::bfloat16, 512}, {Dtype::float16, 4096}, {Dtype::int8, 256}, {Dtype::uint8, 256}, {Dtype::int64, 5000}}) {
    const std::vector<double> values = numbers(of(FillKind::distinct), dtype, {count});
    EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), values.size()) << name_of(dtype);
  }
}

TEST(Fill, StaysInsideItsRange) {
  for (const Dtype dtype : {Dtype::int64, Dtype::int8, Dtype::float32}) {
    for (const double value : numbers(of(FillKind::index, 7), dtype, {1000})) EXPECT_TRUE(value >= 0.0 && value < 7.0);
    const std::vector<double> repeated = numbers(of(FillKind::repeated, 4), dtype, {1000});
    EXPECT_EQ(std::set<double>(repeated.begin(), repeated.end()).size(), 4U);
  }
  for (const double value : numbers(of(FillKind::probability), Dtype::bfloat16, {10000})) EXPECT_TRUE(value >= 0.0 && value < 1.0);
  for (const double value : numbers(of(FillKind::positive), Dtype::float32, {1000})) EXPECT_TRUE(value >= 1.0 && value <= 2.0);
}

TEST(Fill, PermutesEveryRow) {
  const std::vector<double> values = numbers(of(FillKind::permutation), Dtype::int64, {5, 20});
  for (std::ptrdiff_t row = 0; row < 5; ++row) {
    const std::set<double> seen(values.begin() + row * 20, values.begin() + (row + 1) * 20);
    EXPECT_EQ(seen.size(), 20U);
    EXPECT_EQ(*seen.begin(), 0.0);
    EXPECT_EQ(*seen.rbegin(), 19.0);
  }
}

TEST(Fill, DrawsTheExtremesOfIntegers) {
  const std::vector<double> values = numbers(of(FillKind::extremes), Dtype::int32, {1000});
  const std::set<double> seen(values.begin(), values.end());
  for (const double value : {-2147483648.0, 2147483647.0, -1.0, 0.0, 1.0, 16777216.0, 16777217.0}) EXPECT_TRUE(seen.contains(value)) << value;
}

TEST(Fill, TossesACoinForBooleans) {
  const std::vector<double> values = numbers(of(FillKind::normal), Dtype::bool_, {1000});
  EXPECT_NEAR(static_cast<double>(std::count(values.begin(), values.end(), 1.0)), 500.0, 80.0);
}

TEST(Fill, EveryPatternComesOnceFromTheFirstOn) {
  Fill fill = of(FillKind::every_pattern, 0xFFFE);
  const std::vector<std::byte> bytes = make_values(fill, Dtype::bfloat16, Sizes{1 << 16});
  std::set<std::uint16_t> patterns;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint16_t pattern = 0;
    std::memcpy(&pattern, bytes.data() + i, 2);
    patterns.insert(pattern);
  }
  EXPECT_EQ(patterns.size(), 1U << 16);
  EXPECT_EQ(std::to_integer<int>(bytes[0]), 0xFE);
  EXPECT_EQ(std::to_integer<int>(bytes[2]), 0xFF) << "the next one";
}

TEST(Fill, GivesLiteralsAsTheyAre) {
  Fill fill = of(FillKind::literal);
  fill.bits = {0x3F800000, 0x7FC00001};
  const std::vector<std::byte> bytes = make_values(fill, Dtype::float32, Sizes{2});
  std::uint32_t second = 0;
  std::memcpy(&second, bytes.data() + 4, 4);
  EXPECT_EQ(second, 0x7FC00001U);
  EXPECT_THROW(make_values(fill, Dtype::float32, Sizes{3}), std::logic_error);
}

}  // namespace
}  // namespace neuroncheck
