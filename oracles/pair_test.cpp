#include "oracles/pair.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "oracles/element_functions.h"
#include "oracles/element_gradients.h"
#include "oracles/row_formulas.h"
#include "oracles/test_rows.h"

namespace neuroncheck::oracles {
namespace {

float fused_sum_of_products(const std::vector<float>& a, const std::vector<float>& b) {
  float total = 0.0F;
  for (std::size_t i = 0; i < a.size(); ++i) total = std::fma(a[i], b[i], total);
  return total;
}

RC_GTEST_PROP(Pair, SumHoldsInAnyOrder, ()) {
  std::vector<float> values = draw_floats(1);
  const Pair reference = sum(exact_pairs(values), float_step());
  for (const std::size_t block : {1UL, 8UL, 128UL, 1000UL}) RC_ASSERT(holds(reference, blocked_sum(values, block)));
  std::sort(values.begin(), values.end());
  RC_ASSERT(holds(reference, blocked_sum(values, 1000)));
  RC_ASSERT(!holds(reference, static_cast<float>(reference.value + 2.0 * reference.bound + std::ldexp(std::abs(reference.value) + 1e-30, -22))));
}

RC_GTEST_PROP(Pair, SumAgreesWithQuadruplePrecision, ()) {
  const std::vector<float> values = draw_floats(1);
  __float128 exact = 0;
  double magnitude = 0.0;
  for (const float value : values) {
    exact += value;
    magnitude += std::abs(value);
  }
  const double error = static_cast<double>(exact - static_cast<__float128>(sum(exact_pairs(values), float_step()).value));
  RC_ASSERT(std::abs(error) <= std::ldexp(magnitude, -43));
}

RC_GTEST_PROP(Pair, SumOfProductsHoldsFusedOrNot, ()) {
  const std::vector<float> a = draw_floats(1);
  std::vector<float> b(a.rbegin(), a.rend()), products;
  std::vector<Pair> terms;
  for (std::size_t i = 0; i < a.size(); ++i) {
    products.push_back(a[i] * b[i]);
    terms.push_back(multiply({a[i], 0.0}, {b[i], 0.0}, float_step()));
  }
  const Pair reference = sum(terms, float_step());
  RC_ASSERT(holds(reference, fused_sum_of_products(a, b)));
  RC_ASSERT(holds(reference, blocked_sum(products, 32)));
}

TEST(Pair, SumOfSmallIntegersIsExact) {
  std::vector<Pair> terms;
  for (int i = -500; i < 700; ++i) terms.push_back({i * 0.125, 0.0});
  EXPECT_EQ(sum(terms, float_step()).bound, 0.0);
  terms.push_back({std::ldexp(1.0, 24), 0.0});
  EXPECT_GT(sum(terms, float_step()).bound, 0.0);
}

TEST(Pair, OverflowOnTheWayLeavesNothingKnown) {
  const std::vector<Pair> terms = {{3e38, 0.0}, {3e38, 0.0}, {-3e38, 0.0}};
  EXPECT_EQ(sum(terms, float_step()).bound, std::numeric_limits<double>::infinity());
}

TEST(Pair, FiniteTermsThatOverflowBesideAnInfiniteOneLeaveNothingKnown) {
  const Step step = float_step();
  const double huge = -0.75 * step.largest;
  EXPECT_TRUE(std::isinf(sum(std::vector<Pair>{{huge, 0.0}, {huge, 0.0}, {INFINITY, 0.0}}, step).bound)) << "-inf + inf in this order";
  EXPECT_EQ(sum(std::vector<Pair>{{1.0, 0.0}, {INFINITY, 0.0}}, step).bound, 0.0);
}

TEST(Pair, ExactDifferencesAndDivisionsByPowersOfTwoStayExact) {
  const Step step = float_step();
  EXPECT_EQ(subtract({0.1, 0.0}, {0.1, 0.0}, step).bound, 0.0);
  EXPECT_EQ(divide({0.1, 0.0}, {4.0, 0.0}, step).bound, 0.0);
  EXPECT_GT(divide({0.1, 0.0}, {3.0, 0.0}, step).bound, 0.0);
  EXPECT_GT(divide({step.smallest, 0.0}, {2.0, 0.0}, step).bound, 0.0) << "it may underflow";
  EXPECT_EQ(exp({0.0, 0.0}, step).bound, 0.0);
  EXPECT_EQ(log({1.0, 0.0}, step).bound, 0.0);
}

TEST(Pair, NanOfExactOperandsIsExact) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Pair result = add({infinity, 0.0}, {-infinity, 0.0}, float_step());
  EXPECT_TRUE(std::isnan(result.value));
  EXPECT_EQ(result.bound, 0.0);
}

TEST(Pair, InfinityTimesWhatCannotBeZeroIsInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Pair certain = multiply({infinity, 0.0}, {-1.0, 0.5}, float_step()), doubtful = multiply({-1.0, 2.0}, {infinity, 0.0}, float_step());
  EXPECT_EQ(certain.value, -infinity);
  EXPECT_EQ(certain.bound, 0.0);
  EXPECT_EQ(doubtful.bound, infinity);
}

TEST(Pair, DivisorThatMayBeZeroLeavesNothingKnown) {
  EXPECT_EQ(divide({1.0, 0.0}, {1e-9, 2e-9}, float_step()).bound, std::numeric_limits<double>::infinity());
}

RC_GTEST_PROP(Pair, BoundsOfIntervalsEncloseTheirCorners, ()) {
  const auto draw = [] {
    return Pair{static_cast<double>(*rc::gen::inRange(-1000, 1001)) / 37.0, static_cast<double>(*rc::gen::inRange(0, 100)) / 300.0};
  };
  const Pair a = draw(), b = draw();
  for (const double i : {-1.0, 0.3, 1.0}) {
    for (const double j : {-1.0, -0.7, 1.0}) {
      const double x = a.value + i * a.bound, y = b.value + j * b.bound;
      RC_ASSERT(std::abs(x * y - a.value * b.value) <= exact_product(a, b).bound * (1.0 + 1e-12) + 1e-11);
      RC_ASSERT(std::abs(x + y - a.value - b.value) <= exact_sum(a, b).bound * (1.0 + 1e-12) + 1e-11);
      if (std::abs(b.value) <= b.bound) continue;
      RC_ASSERT(std::abs(x / y - a.value / b.value) <= exact_quotient(a, b).bound * (1.0 + 1e-12) + 1e-11);
    }
  }
}

// --- rows ---

std::vector<float> float_softmax(const std::vector<float>& x, float* log_sum) {
  const float m = *std::max_element(x.begin(), x.end());
  std::vector<float> exps;
  for (const float value : x) exps.push_back(std::exp(value - m));
  const float total = blocked_sum(exps, 8);
  *log_sum = std::log(total) + m;
  for (float& e : exps) e = e * (1.0F / total);
  return exps;
}

RC_GTEST_PROP(RowFormulas, SoftmaxAndLogsumexpHold, ()) {
  const std::vector<float> x = draw_floats(1);
  float log_sum = 0.0F;
  const std::vector<float> device = float_softmax(x, &log_sum);
  const std::vector<Pair> reference = softmax_row(exact_pairs(x), float_step());
  for (std::size_t i = 0; i < x.size(); ++i) RC_ASSERT(holds(reference[i], device[i]));
  RC_ASSERT(holds(logsumexp_row(exact_pairs(x), float_step()), log_sum));
}

TEST(RowFormulas, SoftmaxSeesADroppedTerm) {
  std::vector<float> x(64, 1.0F);
  const std::vector<Pair> reference = softmax_row(exact_pairs(x), float_step());
  EXPECT_TRUE(holds(reference[0], 1.0F / 64.0F));
  EXPECT_FALSE(holds(reference[0], 1.0F / 63.0F));
}

RC_GTEST_PROP(RowFormulas, VarianceHoldsForTwoPassesAndWelford, ()) {
  std::vector<float> x = draw_floats(2);
  for (float& value : x) value += 10.0F;
  const Moments reference = variance_row(exact_pairs(x), 1.0, float_step());
  const float mean = blocked_sum(x, 16) / static_cast<float>(x.size());
  float squares = 0.0F, running = 0.0F, m2 = 0.0F, n = 0.0F;
  for (const float value : x) {
    squares += (value - mean) * (value - mean);
    n += 1.0F;
    const float delta = value - running;
    running += delta / n;
    m2 += delta * (value - running);
  }
  RC_ASSERT(holds(reference.variance, squares / (n - 1.0F)));
  RC_ASSERT(holds(reference.variance, m2 / (n - 1.0F)));
}

TEST(RowFormulas, VarianceSeesAWrongDivisor) {
  const std::vector<float> x = {1.0F, 2.0F, 4.0F, 8.0F};
  const Pair reference = variance_row(exact_pairs(x), 1.0, float_step()).variance;
  EXPECT_TRUE(holds(reference, 9.5833333F));
  EXPECT_FALSE(holds(reference, 7.1875F));
}

RC_GTEST_PROP(RowFormulas, LayerNormHoldsDirectAndFolded, ()) {
  const std::vector<float> x = draw_floats(2);
  const std::vector<Pair> weight(x.size(), Pair{1.5, 0.0}), bias(x.size(), Pair{0.25, 0.0});
  const NormalisedRow reference = layer_norm_row(exact_pairs(x), {weight, bias, 1e-5}, float_step());
  const auto n = static_cast<float>(x.size());
  const float mean = blocked_sum(x, 8) / n;
  float squares = 0.0F;
  for (const float value : x) squares += (value - mean) * (value - mean);
  const float rstd = 1.0F / std::sqrt(squares / n + 1e-5F), scale = rstd * 1.5F, shift = 0.25F - mean * scale;
  for (std::size_t i = 0; i < x.size(); ++i) {
    RC_ASSERT(holds(reference.output[i], (x[i] - mean) * rstd * 1.5F + 0.25F));
    RC_ASSERT(holds(reference.output[i], x[i] * scale + shift));
  }
}

RC_GTEST_PROP(RowFormulas, ProductHolds, ()) {
  std::vector<float> x = draw_floats(1);
  x.resize(std::min<std::size_t>(x.size(), 12));
  float device = 1.0F;
  for (const float value : x) device *= value;
  RC_ASSERT(holds(product_row(exact_pairs(x), float_step()), device));
}

TEST(RowFormulas, ASingleElementIsItsOwnMaximum) {
  const std::vector<Pair> row{{0.3, 0.01}};
  EXPECT_EQ(softmax_row(row, float_step()).at(0).bound, 0.0);
  EXPECT_EQ(log_softmax_row(row, float_step()).at(0).bound, 0.0);
  EXPECT_TRUE(std::isnan(softmax_row({{INFINITY, 0.0}}, float_step()).at(0).value));
}

// Welford's mean divides at every step: these integers sum to 0 exactly, and float32 need not find it.
TEST(RowFormulas, WelfordsMeanOfIntegersIsNotExact) {
  float mean = 0.0F, count = 0.0F;
  std::vector<Pair> row;
  for (const float x : {6.0F, 3.0F, -3.0F, -6.0F, 6.0F, -9.0F, 3.0F, 0.0F}) {
    row.push_back({x, 0.0});
    mean += (x - mean) / ++count;
  }
  const Moments moments = variance_row(row, 0.0, float_step());
  EXPECT_NE(mean, 0.0F);
  EXPECT_TRUE(holds(moments.mean, mean));
  EXPECT_FALSE(holds(moments.mean, 1e-5F));
}

TEST(RowFormulas, ProductOfPowersOfTwoIsExact) {
  const std::vector<float> x = {2.0F, -0.5F, 8.0F, 3.0F};
  EXPECT_EQ(product_row(exact_pairs(x), float_step()).bound, 0.0);
}

// --- elements ---

Element element_of(double error) { return {float_step(), error, {}}; }

RC_GTEST_PROP(ElementFunctions, SigmoidHoldsInBothForms, ()) {
  const float x = static_cast<float>(*rc::gen::inRange(-9000, 9001)) / 100.0F;
  const Pair operand{x, 0.0};
  const Pair reference = functions::sigmoid(&operand, element_of(0.0));
  RC_ASSERT(holds(reference, 1.0F / (1.0F + std::exp(-x))));
  if (std::abs(x) < 2.0F) RC_ASSERT(holds(reference, 0.5F * std::tanh(0.5F * x) + 0.5F));  // beyond, the sum cancels what tanh rounded
  RC_ASSERT(holds(functions::silu(&operand, element_of(0.0)), x / (1.0F + std::exp(-x))));
}

RC_GTEST_PROP(ElementFunctions, GeluHoldsInFloat, ()) {
  const float x = static_cast<float>(*rc::gen::inRange(-900, 901)) / 100.0F;
  const Pair operand{x, 0.0};
  RC_ASSERT(holds(functions::gelu(&operand, element_of(0.0)), 0.5F * x * (1.0F + std::erf(x * 0.70710678F))));
  const Pair both[2] = {{1.0, 0.0}, operand};
  const float slope = 0.5F * (1.0F + std::erf(x * 0.70710678F)) + x * std::exp(-0.5F * x * x) * 0.39894228F;
  RC_ASSERT(holds(functions::gelu_backward(both, element_of(0.0)), slope));
}

TEST(ElementFunctions, GeluTellsItsTwoFormsApart) {
  const Pair x{1.0, 0.0};
  const float tanh_form = static_cast<float>(0.5 * (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * 1.044715)));
  EXPECT_FALSE(holds(functions::gelu(&x, element_of(0.0)), tanh_form));
}

TEST(ElementFunctions, ExactOperandsOfRoundedOpsNeedNoBound) {
  const Pair x[2] = {{0.1F, 0.0}, {3.0F, 0.0}};
  Element element = element_of(0.0);
  element.parameter[0] = 1.0;
  EXPECT_EQ(functions::add(x, element).bound, 0.0);
  EXPECT_EQ(functions::multiply(x, element).bound, 0.0);
  EXPECT_EQ(functions::divide(x, element).bound, 0.0);
  element.parameter[0] = 3.0;
  EXPECT_GT(functions::add(x, element).bound, 0.0);
}

TEST(ElementFunctions, AProductThatOverflowsBeforeItIsAddedIsUnknown) {
  const Element twice{float_step(), 0.0, {2.0}};
  const Pair finite[2] = {{-3e38, 0.0}, {3e38, 0.0}}, small[2] = {{-3e38, 0.0}, {1e38, 0.0}}, infinite[2] = {{1.0, 0.0}, {HUGE_VAL, 0.0}};
  EXPECT_TRUE(std::isinf(functions::add(finite, twice).bound));
  EXPECT_FALSE(std::isinf(functions::add(small, twice).bound));
  EXPECT_EQ(functions::add(infinite, twice).bound, 0.0);
  const Element once{float_step(), 0.0, {1.0}};
  const Pair product[3] = {{-3e38, 0.0}, {3e38, 0.0}, {2.0, 0.0}}, quotient[3] = {{-3e38, 0.0}, {3e38, 0.0}, {0.5, 0.0}};
  EXPECT_TRUE(std::isinf(functions::multiply_add(product, once).bound));
  EXPECT_TRUE(std::isinf(functions::divide_add(quotient, once).bound));
}

TEST(ElementFunctions, RemainderOfAnOverflowingQuotientIsUnknown) {
  const Element element{float_step(), 0.0, {}};
  const Pair huge[2] = {{3e38, 0.0}, {-1e-8, 0.0}}, plain[2] = {{7.0, 0.0}, {-3.0, 0.0}};
  EXPECT_TRUE(std::isinf(functions::remainder(huge, element).bound));
  EXPECT_EQ(functions::remainder(plain, element).value, -2.0);
  EXPECT_EQ(functions::remainder(plain, element).bound, 0.0);
}

// 0.5 x (1 - t^2) inner in float32, near x = -5: t rounds to -1 and nothing is left of the slope.
TEST(ElementFunctions, TanhGeluSlopeMayCancelButNoFurther) {
  const Element element{float_step(), 10.0 * float_step().unit, {1.0}};
  const Pair x[2] = {{1.0, 0.0}, {-5.05, 0.0}};
  const Pair slope = functions::gelu_backward(x, element);
  EXPECT_LT(std::abs(slope.value), slope.bound + 1e-5);
  EXPECT_LT(slope.bound, 3e-5);
  const Pair far[2] = {{1.0, 0.0}, {-50.0, 0.0}};
  EXPECT_LT(functions::gelu_backward(far, element).bound, 1e-5) << "saturated";
}

// The sigmoid of -80 is a float32; of -120 it may be zero, and no step of a composite in bfloat16 keeps more than 8 bits.
TEST(ElementFunctions, SiluSlopeUnderAnInfiniteGradientAndRoundedAtEveryStep) {
  const double infinity = std::numeric_limits<double>::infinity();
  Element element{float_step(), 0.0, {}};
  const Pair certain[2] = {{infinity, 0.0}, {-80.0, 0.0}}, underflows[2] = {{infinity, 0.0}, {-120.0, 0.0}},
             root[2] = {{infinity, 0.0}, {-1.2784645, 0.0}};
  EXPECT_EQ(functions::silu_backward(certain, element).value, -infinity);
  EXPECT_EQ(functions::silu_backward(certain, element).bound, 0.0);
  EXPECT_EQ(functions::silu_backward(underflows, element).bound, infinity);
  EXPECT_EQ(functions::silu_backward(root, element).bound, infinity);
  const Pair plain[2] = {{1.0, 0.0}, {0.7, 0.0}};
  const double whole = functions::silu_backward(plain, element).bound;
  element.step.output_unit = 0x1p-8;
  EXPECT_LT(whole, 1e-6);
  EXPECT_GT(functions::silu_backward(plain, element).bound, 1e-3);
  EXPECT_LT(functions::silu_backward(plain, element).bound, 5e-2);
}

// The half may come last.
TEST(ElementFunctions, GeluMayOverflowBeforeItIsHalved) {
  const Pair near{3e38, 0.0}, below{1.6e38, 0.0}, infinite{std::numeric_limits<double>::infinity(), 0.0};
  EXPECT_TRUE(std::isinf(functions::gelu(&near, element_of(0.0)).bound));
  EXPECT_LT(functions::gelu(&below, element_of(0.0)).bound, 1e33);
  EXPECT_EQ(functions::gelu(&infinite, element_of(0.0)).bound, 0.0);
}

TEST(ElementFunctions, ComparisonOfOverlappingIntervalsIsAmbiguous) {
  const Pair close[2] = {{1.0, 0.1}, {1.05, 0.0}}, apart[2] = {{1.0, 0.1}, {2.0, 0.0}};
  EXPECT_EQ(functions::less(close, element_of(0.0)).bound, 1.0);
  EXPECT_EQ(functions::less(apart, element_of(0.0)).bound, 0.0);
  EXPECT_EQ(functions::equal(apart, element_of(0.0)).bound, 0.0);
}

TEST(ElementFunctions, FloorNearAnIntegerCarriesTheJump) {
  const Pair near{2.0001, 0.001}, far{2.5, 0.001};
  EXPECT_EQ(functions::floor(&near, element_of(0.0)).bound, 1.0);
  EXPECT_EQ(functions::floor(&far, element_of(0.0)).bound, 0.0);
}

RC_GTEST_PROP(ElementFunctions, RemainderAndFloorDivideAgreeWithDoubles, ()) {
  const double a = static_cast<double>(*rc::gen::inRange(-1000, 1001)) / 8.0, b = static_cast<double>(*rc::gen::inRange(1, 100)) / 4.0;
  const Pair x[2] = {{a, 0.0}, {-b, 0.0}};
  const double quotient = functions::floor_divide(x, element_of(0.0)).value;
  RC_ASSERT(quotient == std::floor(a / -b));
  RC_ASSERT(functions::remainder(x, element_of(0.0)).value == a - quotient * -b);
}

}  // namespace
}  // namespace neuroncheck::oracles
