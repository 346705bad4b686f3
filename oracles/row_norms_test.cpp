#include "oracles/row_norms.h"

#include <gtest/gtest.h>

#include "oracles/row_scans.h"
#include "oracles/test_rows.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

NormKind kind_of_power(double power) { return {power, 0.0, 32.0 * float_step().unit}; }

float float_norm(const std::vector<float>& x, float power) {
  std::vector<float> terms;
  for (const float value : x) terms.push_back(power == 2.0F ? value * value : std::pow(std::abs(value), power));
  const float total = blocked_sum(terms, 16);
  return power == 2.0F ? std::sqrt(total) : std::pow(total, 1.0F / power);
}

bool misses(Pair reference, double factor) {
  return !holds(reference, static_cast<float>(reference.value + factor * reference.bound + std::ldexp(std::abs(reference.value) + 1e-30, -21)));
}

RC_GTEST_PROP(RowNorms, HoldForSumsOfPowersInBlocks, ()) {
  const std::vector<float> x = draw_floats(1);
  for (const float power : {1.0F, 2.0F, 3.0F, 0.5F}) {
    const Pair reference = norm_row(exact_pairs(x), kind_of_power(power), float_step());
    RC_ASSERT(holds(reference, float_norm(x, power)));
    RC_ASSERT(misses(reference, 2.0));
  }
}

TEST(RowNorms, SeeADroppedTerm) {
  const std::vector<float> x(64, 3.0F), fewer(63, 3.0F);
  for (const float power : {1.0F, 2.0F, 3.0F}) {
    const Pair reference = norm_row(exact_pairs(x), kind_of_power(power), float_step());
    EXPECT_TRUE(holds(reference, float_norm(x, power))) << power;
    EXPECT_FALSE(holds(reference, float_norm(fewer, power))) << power;
  }
}

TEST(RowNorms, ExtremesAndCountsAreExact) {
  const std::vector<Pair> row = {{-3.0, 0.0}, {0.0, 0.0}, {2.0, 0.0}};
  EXPECT_EQ(norm_row(row, kind_of_power(kInfinity), float_step()).value, 3.0);
  EXPECT_EQ(norm_row(row, kind_of_power(-kInfinity), float_step()).value, 0.0);
  const Pair count = norm_row(row, kind_of_power(0.0), float_step());
  EXPECT_EQ(count.value, 2.0);
  EXPECT_EQ(count.bound, 0.0);
  EXPECT_EQ(norm_row(std::vector<Pair>{{3.0, 0.0}, {4.0, 0.0}}, kind_of_power(2.0), float_step()).bound, 0.0) << "5 is found by every order";
}

TEST(RowNorms, PowersOverflowWhereANormNeedNot) {
  Step step = float_step();
  step.precision = 53, step.largest = std::numeric_limits<double>::max();
  for (const double power : {2.0, 3.0}) {
    const std::vector<Pair> finite{{1.5e308, 0.0}}, infinite{{kInfinity, 0.0}};
    EXPECT_EQ(norm_row(finite, {power}, step).bound, kInfinity);
    EXPECT_EQ(norm_row(infinite, {power}, step).bound, 0.0);
  }
}

TEST(RowNorms, ANormThatMayExceedTheLimitLeavesBothResults) {
  const std::vector<Pair> row = {{3.0, 0.0}, {4.0, 1e-3}};
  const std::vector<Pair> doubtful = renorm_row(row, kind_of_power(2.0), 5.0, float_step());
  EXPECT_GE(doubtful[0].bound, 0.0);
  EXPECT_LE(std::abs(doubtful[0].value - 3.0), doubtful[0].bound + 1e-6);
  EXPECT_EQ(renorm_row(exact_pairs({3.0F, 4.0F}), kind_of_power(2.0), 6.0, float_step())[0].bound, 0.0) << "it stays as it is";
  EXPECT_FALSE(holds(renorm_row(exact_pairs({3.0F, 4.0F}), kind_of_power(2.0), 2.5, float_step())[0], 3.0F));
}

float product_distance(const std::vector<float>& x, const std::vector<float>& y) {
  float left = 0.0F, right = 0.0F, product = 0.0F;
  for (std::size_t i = 0; i < x.size(); ++i) {
    left += x[i] * x[i];
    right += y[i] * y[i];
    product += -2.0F * x[i] * y[i];
  }
  return std::sqrt(std::max(product + left + right, 0.0F));
}

RC_GTEST_PROP(RowNorms, DistanceByProductsCancelsButNoFurther, ()) {
  const std::vector<float> x = draw_floats(1);
  std::vector<float> y = x;
  for (float& value : y) value *= 1.001F;
  const DistanceKind products{kind_of_power(2.0), SquaredDistance::by_products}, differences{kind_of_power(2.0)};
  const Pair loose = distance_row(exact_pairs(x), exact_pairs(y), products, float_step());
  const Pair sharp = distance_row(exact_pairs(x), exact_pairs(y), differences, float_step());
  RC_ASSERT(holds(loose, product_distance(x, y)));
  RC_ASSERT(misses(loose, 2.0));
  RC_ASSERT(sharp.bound <= loose.bound);
}

TEST(RowNorms, GradientOfADistanceHasItsSigns) {
  const Difference of{{-2.0, 0.0}, {4.0, 0.0}};
  const Step step = float_step();
  EXPECT_EQ(distance_gradient({8.0, 0.0}, of, kind_of_power(2.0), step).value, -4.0);
  EXPECT_EQ(distance_gradient({8.0, 0.0}, of, kind_of_power(1.0), step).value, -8.0);
  EXPECT_EQ(distance_gradient({8.0, 0.0}, of, kind_of_power(3.0), step).value, -2.0);
  EXPECT_EQ(distance_gradient({8.0, 0.0}, of, kind_of_power(kInfinity), step).value, 0.0);
  EXPECT_EQ(distance_gradient({8.0, 0.0}, {{-4.0, 0.0}, {4.0, 0.0}}, kind_of_power(kInfinity), step).value, -8.0);
  EXPECT_EQ(distance_gradient({8.0, 0.0}, {{0.0, 0.0}, {0.0, 0.0}}, kind_of_power(2.0), step).value, 0.0);
}

// --- scans ---

float float_logaddexp(float a, float b) {
  const float m = std::max(a, b);
  return m + std::log1p(std::exp(-std::abs(a - b)));
}

float tree(const std::vector<float>& x, std::size_t first, std::size_t last) {
  if (last - first == 1) return x[first];
  const std::size_t middle = (first + last) / 2;
  return float_logaddexp(tree(x, first, middle), tree(x, middle, last));
}

RC_GTEST_PROP(RowScans, LogcumsumexpHoldsInSequenceAndInATree, ()) {
  const std::vector<float> x = draw_floats(2);
  const std::vector<Pair> reference = logcumsumexp_row(exact_pairs(x), float_step());
  float running = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) {
    running = float_logaddexp(running, x[i]);
    RC_ASSERT(holds(reference[i], running));
  }
  RC_ASSERT(holds(reference.back(), tree(x, 0, x.size())));
  RC_ASSERT(misses(reference.back(), 2.0));
}

TEST(RowScans, LogcumsumexpSeesADroppedTerm) {
  const std::vector<float> x(100, 1.0F);
  const Pair reference = logcumsumexp_row(exact_pairs(x), float_step()).back();
  EXPECT_TRUE(holds(reference, 1.0F + std::log(100.0F)));
  EXPECT_FALSE(holds(reference, 1.0F + std::log(99.0F)));
}

TEST(RowScans, LogcumsumexpOfInfinities) {
  const std::vector<Pair> row = {{-kInfinity, 0.0}, {-kInfinity, 0.0}, {1.0, 0.0}, {kInfinity, 0.0}};
  const std::vector<Pair> reference = logcumsumexp_row(row, float_step());
  EXPECT_EQ(reference[1].value, -kInfinity);
  EXPECT_EQ(reference[2].value, 1.0);
  EXPECT_EQ(reference[3].value, kInfinity);
}

TEST(RowScans, CumulativeProductIsTheProductOfEachPrefix) {
  const std::vector<float> x = {1.1F, 0.9F, -1.3F, 2.0F};
  const std::vector<Pair> reference = cumulative_product_row(exact_pairs(x), float_step());
  float running = 1.0F;
  for (std::size_t i = 0; i < x.size(); ++i) {
    running *= x[i];
    EXPECT_TRUE(holds(reference[i], running)) << i;
    EXPECT_FALSE(holds(reference[i], running * 1.00001F)) << i;
  }
}

}  // namespace
}  // namespace neuroncheck::oracles
