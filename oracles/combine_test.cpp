#include "oracles/combine.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "oracles/test_rows.h"

namespace neuroncheck::oracles {
namespace {

std::vector<float> draw_terms() {
  std::vector<float> terms;
  const auto count = *rc::gen::inRange(1, 100);
  for (int i = 0; i < count; ++i) terms.push_back(static_cast<float>(*rc::gen::inRange(-1000000, 1000001)) / 7e5F);
  return terms;
}

float in_order(const std::vector<float>& terms) {
  float total = 0.0F;
  for (const float term : terms) total += term;
  return total;
}

// Device schedules of a mean: divide the sum, multiply it with the rounded reciprocal, or divide every term first.
RC_GTEST_PROP(Combine, MeanCoversEverySchedule, ()) {
  std::vector<float> terms = draw_terms();
  const Pair mean = combine(Combine::mean, exact_pairs(terms), float_step());
  std::reverse(terms.begin(), terms.end());
  const auto count = static_cast<float>(terms.size());
  RC_ASSERT(holds(mean, in_order(terms) / count));
  RC_ASSERT(holds(mean, in_order(terms) * (1.0F / count)));
  for (float& term : terms) term /= count;
  RC_ASSERT(holds(mean, in_order(terms)));
}

RC_GTEST_PROP(Combine, TwiceTheBoundOrADroppedTermFallsOutside, ()) {
  const std::vector<float> terms = draw_terms();
  const Pair mean = combine(Combine::mean, exact_pairs(terms), float_step());
  RC_ASSERT(!holds(mean, mean.value + 2.0 * mean.bound + std::ldexp(std::abs(mean.value), -22) + 1e-40));
  const double dropped = mean.value - static_cast<double>(terms.back()) / static_cast<double>(terms.size());
  RC_PRE(std::abs(terms.back()) > 0.01F);
  RC_ASSERT(!holds(mean, dropped));
}

// Terms in doubt beside NaN and infinities: nothing may be known of the result, but that is a bound, too.
RC_GTEST_PROP(Combine, HasABoundForEveryValue, ()) {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<Pair> terms;
  const auto count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    const double value = *rc::gen::element(0.0, -0.0, 1.5, -3e38, 3e38, 1e-40, infinity, -infinity, std::numeric_limits<double>::quiet_NaN());
    terms.push_back({value, *rc::gen::element(0.0, 1e-38, 0.5, infinity)});
  }
  for (const Combine how : {Combine::sum, Combine::product, Combine::mean, Combine::largest, Combine::smallest}) {
    RC_ASSERT(combine(how, terms, float_step()).bound >= 0.0);
  }
  RC_ASSERT(mean_over(terms, 7.0, float_step()).bound >= 0.0);
}

TEST(Combine, MeanOfExactIntegersOverAPowerOfTwoIsExact) {
  const Pair mean = combine(Combine::mean, exact_pairs({1.0F, 2.0F, 4.0F, 6.0F}), float_step());
  EXPECT_EQ(mean.value, 3.25);
  EXPECT_EQ(mean.bound, 0.0);
}

TEST(Combine, LargestTakesTheIntervalOfTheTerms) {
  const std::vector<Pair> terms{{1.0, 0.5}, {1.25, 0.0}};
  const Pair most = combine(Combine::largest, terms, float_step());
  EXPECT_EQ(most.value, 1.25);
  EXPECT_EQ(most.bound, 0.25);
}

TEST(Combine, NanIsTheLargestAndTheSmallest) {
  const std::vector<float> terms{1.0F, std::numeric_limits<float>::quiet_NaN(), 2.0F};
  EXPECT_TRUE(std::isnan(combine(Combine::largest, exact_pairs(terms), float_step()).value));
  EXPECT_TRUE(std::isnan(combine(Combine::smallest, exact_pairs(terms), float_step()).value));
}

TEST(Combine, KnowsTorchsWordsAndNoOthers) {
  EXPECT_EQ(parse_combine("multiply"), Combine::product);
  EXPECT_THROW(parse_combine("median"), std::logic_error);
}

}  // namespace
}  // namespace neuroncheck::oracles
