#include "oracles/acceptance.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/number_format.h"
#include "oracles/test_tensors.h"

namespace neuroncheck::oracles {
namespace {

using testing_tensors::bounded;
using testing_tensors::integer_tensor;
using testing_tensors::integers;
using testing_tensors::tensor;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

Acceptance one(Dtype dtype, double value, double bound, double got, const AcceptanceOptions& options = {}) {
  return accept(bounded(dtype, {value}, {bound}), tensor(dtype, {got}), options);
}

TEST(Acceptance, TakesOnlyTheRoundedValueWhenTheBoundIsZero) {
  const double value = 1.0 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(one(Dtype::bfloat16, value, 0, 1.0078125).outside, 0);
  EXPECT_EQ(one(Dtype::bfloat16, value, 0, 1.0).outside, 1) << "double rounding must be seen";
}

TEST(Acceptance, SeesOneUlpBeyondTheBound) {
  EXPECT_EQ(one(Dtype::float32, 1.0, 0x1p-23, 1.0 + 0x1p-23).outside, 0);
  const Acceptance found = one(Dtype::float32, 1.0, 0x1p-23, 1.0 + 0x1p-22);
  EXPECT_EQ(found.outside, 1);
  EXPECT_EQ(found.reason, "value");
  EXPECT_EQ(found.error_ulps, 2.0);
  ASSERT_TRUE(found.worst);
  EXPECT_NE(found.worst->got.find("[0x3f800002]"), std::string::npos) << found.worst->got;
  EXPECT_NE(found.worst->high.find("[0x3f800001]"), std::string::npos) << found.worst->high;
}

TEST(Acceptance, NamesTheWorstElement) {
  const Acceptance found = accept(bounded(Dtype::float32, {1, 1, 1, 1}, {}, {2, 2}), tensor(Dtype::float32, {1, 2, 9, 3}, {2, 2}), {});
  EXPECT_EQ(found.outside, 3);
  EXPECT_EQ(found.worst->index, (std::vector<std::int64_t>{1, 0}));
}

TEST(Acceptance, WantsNanForNanAndNowhereElse) {
  EXPECT_EQ(one(Dtype::float32, kNan, 0, kNan).outside, 0);
  EXPECT_EQ(one(Dtype::float32, kNan, 0, 0.0).reason, "nan_inf");
  EXPECT_EQ(one(Dtype::float32, 1.0, 100.0, kNan).reason, "nan_inf");
}

TEST(Acceptance, AllowsInfinityOnlyWhereTheIntervalReachesIt) {
  EXPECT_EQ(one(Dtype::float16, 65519.0, 0, 65504.0).outside, 0);
  EXPECT_EQ(one(Dtype::float16, 65519.0, 0, kInfinity).reason, "nan_inf");
  EXPECT_EQ(one(Dtype::float16, 65519.0, 1.0, kInfinity).outside, 0);
  EXPECT_EQ(one(Dtype::float32, kInfinity, 0, kInfinity).outside, 0);
  EXPECT_EQ(one(Dtype::float32, kInfinity, 0, -kInfinity).outside, 1);
  EXPECT_EQ(one(Dtype::float32, kInfinity, 0, 3e38).reason, "nan_inf");
}

TEST(Acceptance, OverflowsToNanWhereThereIsNoInfinity) {
  EXPECT_EQ(one(Dtype::float8_e4m3fn, 500.0, 0, kNan).outside, 0);
  EXPECT_EQ(one(Dtype::float8_e4m3fn, 500.0, 0, 448.0).outside, 1);
  EXPECT_EQ(one(Dtype::float8_e4m3fn, 460.0, 10.0, kNan).outside, 0);
  EXPECT_EQ(one(Dtype::float8_e4m3fn, 460.0, 10.0, 448.0).outside, 0);
  EXPECT_EQ(one(Dtype::float8_e4m3fn, -500.0, 0, kNan).outside, 0);
  EXPECT_EQ(one(Dtype::float8_e4m3fn, 400.0, 10.0, kNan).reason, "nan_inf");
}

TEST(Acceptance, RejectsBadBounds) {
  EXPECT_THROW(one(Dtype::float32, 1.0, kNan, 1.0), std::logic_error);
  EXPECT_THROW(one(Dtype::float32, 1.0, -1.0, 1.0), std::logic_error);
  EXPECT_THROW(accept(integers({1}, {kNan}), integer_tensor(Dtype::int64, {1}), {}), std::logic_error);
}

TEST(Acceptance, CountsElementsThatProveNothing) {
  EXPECT_EQ(one(Dtype::float32, 1.0, 2.0, 1.5).unproven, 1);
  EXPECT_EQ(one(Dtype::float32, 1.0, kInfinity, kNan).unproven, 1);
  EXPECT_EQ(one(Dtype::float32, 1.0, kInfinity, kNan).outside, 0);
  EXPECT_EQ(one(Dtype::float32, 1.0, 0.5, 1.0).unproven, 0);
  EXPECT_EQ(one(Dtype::float32, 0.0, 0, 0.0).unproven, 0);
  EXPECT_EQ(one(Dtype::float32, kNan, 0, kNan).unproven, 0);
  EXPECT_EQ(one(Dtype::float32, kInfinity, 1.0, kInfinity).unproven, 0);
  EXPECT_EQ(accept(integers({0}), integer_tensor(Dtype::int64, {0}), {}).unproven, 0);
  EXPECT_EQ(one(Dtype::bfloat16, 0.0, 0x1p-134, 0.0).unproven, 0) << "half the smallest subnormal around zero still leaves one value";
}

TEST(Acceptance, TakesAnythingWithinAnInfiniteBound) {
  AcceptanceOptions strict;
  strict.flush = FlushPolicy::flush;
  strict.sign_of_zero = ZeroSign::judged;
  for (const double value : {0.0, -1.5, 1e30, kInfinity, kNan}) {
    for (const double got : {0.0, -0.0, 7.0, 0x1p-140, kInfinity, -kInfinity, kNan}) {
      const Acceptance found = one(Dtype::float32, value, kInfinity, got, strict);
      EXPECT_EQ(found.outside, 0) << value << " " << got;
      EXPECT_EQ(found.unproven, 1);
    }
  }
  EXPECT_EQ(accept(integers({5}, {kInfinity}), integer_tensor(Dtype::int64, {INT64_MIN}), {}).outside, 0);
}

TEST(Acceptance, JudgesSignsOfZeroOnRequest) {
  EXPECT_EQ(one(Dtype::float32, 0.0, 0, -0.0).outside, 0);
  AcceptanceOptions options;
  options.sign_of_zero = ZeroSign::judged;
  EXPECT_EQ(one(Dtype::float32, 0.0, 0, -0.0, options).reason, "sign_of_zero");
  EXPECT_EQ(one(Dtype::float32, -0.0, 0, -0.0, options).outside, 0);
}

TEST(Acceptance, FlushesByPolicyAndFormat) {
  AcceptanceOptions either, flush;
  either.flush = FlushPolicy::either;
  flush.flush = FlushPolicy::flush;
  const double tiny = 0x1p-130;
  EXPECT_EQ(one(Dtype::float32, tiny, 0, 0.0).outside, 1);
  EXPECT_EQ(one(Dtype::float32, tiny, 0, 0.0, either).outside, 0);
  EXPECT_EQ(one(Dtype::float32, tiny, 0, tiny, either).outside, 0);
  EXPECT_EQ(one(Dtype::float32, tiny, 0, tiny, flush).outside, 1);
  EXPECT_EQ(one(Dtype::float32, 0x1p-126, 0, 0.0, either).outside, 1) << "a normal number is never flushed";
  EXPECT_EQ(one(Dtype::float16, 0x1p-20, 0, 0.0, either).outside, 1) << "float16 keeps its subnormals";
}

TEST(Acceptance, RoundsAsTheProfileSays) {
  const double value = 1.0 + 0x1.8p-8;  // three quarters of an ulp above 1
  AcceptanceOptions faithful, truncating;
  faithful.rounding = OutputRounding::faithful;
  truncating.rounding = OutputRounding::toward_zero;
  EXPECT_EQ(one(Dtype::bfloat16, value, 0, 1.0).outside, 1);
  EXPECT_EQ(one(Dtype::bfloat16, value, 0, 1.0, faithful).outside, 0);
  EXPECT_EQ(one(Dtype::bfloat16, value, 0, 1.0, truncating).outside, 0);
}

TEST(Acceptance, RoundsDemotedFloat64InFloat32) {
  Bounded expected = bounded(Dtype::float64, {0.1});
  EXPECT_EQ(accept(expected, tensor(Dtype::float64, {static_cast<double>(0.1F)}), {}).outside, 1);
  expected.computed_in = Dtype::float32;
  EXPECT_EQ(accept(expected, tensor(Dtype::float64, {static_cast<double>(0.1F)}), {}).outside, 0);
  EXPECT_EQ(accept(expected, tensor(Dtype::float64, {0.1}), {}).outside, 0) << "keeping more than it must is no fault";
  EXPECT_EQ(accept(expected, tensor(Dtype::float64, {0.1 + 1e-8}), {}).outside, 1);
}

TEST(Acceptance, ComparesIntegersExactly) {
  const std::int64_t big = (1LL << 53) + 1;
  EXPECT_EQ(accept(integers({big}), integer_tensor(Dtype::int64, {big}), {}).outside, 0);
  const Acceptance found = accept(integers({big}), integer_tensor(Dtype::int64, {big - 1}), {});
  EXPECT_EQ(found.outside, 1);
  EXPECT_EQ(found.reason, "value");
  EXPECT_EQ(accept(integers({INT64_MIN}), integer_tensor(Dtype::int64, {INT64_MAX}), {}).outside, 1);
}

TEST(Acceptance, AllowsAmbiguousIntegersWithinTheirBound) {
  EXPECT_EQ(accept(integers({5}, {1}), integer_tensor(Dtype::int64, {6}), {}).outside, 0);
  EXPECT_EQ(accept(integers({5}, {1}), integer_tensor(Dtype::int64, {7}), {}).outside, 1);
  Bounded both = integers({0}, {1});
  both.dtype = Dtype::bool_;
  EXPECT_EQ(accept(both, integer_tensor(Dtype::bool_, {1}), {}).unproven, 1);
  both.integers = {1};
  EXPECT_EQ(accept(both, integer_tensor(Dtype::bool_, {0}), {}).unproven, 1);
  EXPECT_EQ(accept(integers({1}, {1}), integer_tensor(Dtype::int64, {2}), {}).unproven, 0) << "one of three values is still a statement";
}

TEST(Acceptance, AsksForStructureFirst) {
  EXPECT_THROW(accept(bounded(Dtype::float32, {1}), tensor(Dtype::float16, {1}), {}), std::logic_error);
  EXPECT_THROW(accept(bounded(Dtype::float32, {1, 2}), tensor(Dtype::float32, {1}), {}), std::logic_error);
}

double drawn(Dtype dtype) {
  const auto bits = *rc::gen::arbitrary<std::uint32_t>();
  const double value = decode(Dtype::float32, bits);
  return std::isnan(value) ? 1.0 : round_to(format_of(dtype), value);
}

TEST(Acceptance, HoldsTheLawsOfIntervals) {
  EXPECT_TRUE(rc::check("the rounded value is always accepted, and a wider bound accepts no less", [] {
    const auto dtype = *rc::gen::elementOf(std::vector<Dtype>{Dtype::bfloat16, Dtype::float16, Dtype::float32, Dtype::float8_e4m3fn});
    const double value = std::ldexp(*rc::gen::inRange(-100000, 100000) * 1.1, *rc::gen::inRange(-40, 20));
    const double bound = std::ldexp(*rc::gen::inRange(0, 1000), *rc::gen::inRange(-50, 0));
    RC_ASSERT(one(dtype, value, bound, round_to(format_of(dtype), value)).outside == 0);
    const double got = *rc::gen::arbitrary<bool>() ? drawn(dtype) : round_to(format_of(dtype), value + bound * *rc::gen::inRange(-3, 4) / 2.0);
    if (one(dtype, value, bound, got).outside == 0) RC_ASSERT(one(dtype, value, bound * 2, got).outside == 0);
    AcceptanceOptions faithful;
    faithful.rounding = OutputRounding::faithful;
    if (one(dtype, value, bound, got).outside == 0) RC_ASSERT(one(dtype, value, bound, got, faithful).outside == 0);
  }));
}

}  // namespace
}  // namespace neuroncheck::oracles
