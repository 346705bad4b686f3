// Every function over pairs: what float32 makes of exact operands stays inside the bound, and so does the true value at any point of an interval.
#include "oracles/element_functions.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "oracles/element_gradients.h"
#include "oracles/element_losses.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kUnit = 0x1p-24;

Element element_of(std::array<double, 3> parameter = {}) {
  Element element;
  element.step.unit = kUnit;
  element.step.smallest = 0x1p-126;
  element.step.tiny = 0x1p-150;
  element.step.largest = std::numeric_limits<float>::max();
  element.step.precision = 24;
  element.error = 8.0 * kUnit;  // 4 ulp
  element.step.exp_error = element.step.log_error = element.error;
  element.parameter = parameter;
  return element;
}

bool within(Pair reference, double value, double rounding) {
  if (std::isnan(reference.value)) return std::isnan(value);
  return std::abs(value - reference.value) <= reference.bound + rounding * (std::abs(reference.value) + reference.bound) + 0x1p-150;
}

// A function of up to three operands, by its definition in double and as a device may compute it in float32.
struct Function {
  std::string name;
  ElementFunction over_pairs;
  std::vector<std::pair<double, double>> domain;  // of each operand
  std::function<double(const double*)> exact;
  std::function<float(const float*)> device;
  std::array<double, 3> parameter = {};
};

template <typename F>
Function unary(const std::string& name, ElementFunction over_pairs, double low, double high, F function) {
  return {name, over_pairs, {{low, high}}, [=](const double* x) { return function(x[0]); }, [=](const float* x) { return function(x[0]); }};
}

template <typename F>
Function binary(const std::string& name, ElementFunction over_pairs, std::pair<double, double> a, std::pair<double, double> b, F function) {
  return {name, over_pairs, {a, b}, [=](const double* x) { return function(x[0], x[1]); }, [=](const float* x) { return function(x[0], x[1]); }};
}

std::vector<Function> transcendental() {
  namespace f = functions;
  return {
      unary("exp2", f::exp2, -20, 20, [](auto x) { return std::exp2(x); }),
      unary("expm1", f::expm1, -20, 20, [](auto x) { return std::expm1(x); }),
      unary("log2", f::log2, 1e-3, 1e3, [](auto x) { return std::log2(x); }),
      unary("log10", f::log10, 1e-3, 1e3, [](auto x) { return std::log10(x); }),
      unary("log1p", f::log1p, -0.9, 1e3, [](auto x) { return std::log1p(x); }),
      unary("asin", f::asin, -0.99, 0.99, [](auto x) { return std::asin(x); }),
      unary("acos", f::acos, -0.99, 0.99, [](auto x) { return std::acos(x); }),
      unary("atan", f::atan, -1e3, 1e3, [](auto x) { return std::atan(x); }),
      unary("sinh", f::sinh, -10, 10, [](auto x) { return std::sinh(x); }),
      unary("cosh", f::cosh, -10, 10, [](auto x) { return std::cosh(x); }),
      unary("asinh", f::asinh, -1e3, 1e3, [](auto x) { return std::asinh(x); }),
      unary("acosh", f::acosh, 1.1, 1e3, [](auto x) { return std::acosh(x); }),
      unary("atanh", f::atanh, -0.99, 0.99, [](auto x) { return std::atanh(x); }),
      unary("erfc", f::erfc, -3, 3, [](auto x) { return std::erfc(x); }),
      unary("tan", f::tan, -8, 8, [](auto x) { return std::tan(x); }),
      binary("atan2", f::atan2, {-9, 9}, {-9, 9}, [](auto y, auto x) { return std::atan2(y, x); }),
      binary("hypot", f::hypot, {-9, 9}, {-9, 9}, [](auto a, auto b) { return std::hypot(a, b); }),
      binary("logaddexp", f::logaddexp, {-30, 30}, {-30, 30}, [](auto a, auto b) { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }),
      binary("logaddexp2", f::logaddexp2, {-30, 30}, {-30, 30},
             [](auto a, auto b) { return std::max(a, b) + std::log1p(std::exp2(-std::abs(a - b))) * static_cast<decltype(a)>(1.4426950408889634); }),
      binary("xlogy", f::xlogy, {-9, 9}, {0.2, 50}, [](auto a, auto b) { return a * std::log(b); }),
  };
}

std::vector<Function> arithmetic() {
  namespace f = functions;
  return {
      unary("frac", f::frac, -9, 9, [](auto x) { return x - std::trunc(x); }),
      binary("fmod", f::fmod, {-90, 90}, {1, 9}, [](auto a, auto b) { return std::fmod(a, b); }),
      binary("fmax", f::fmax, {-9, 9}, {-9, 9}, [](auto a, auto b) { return std::fmax(a, b); }),
      binary("fmin", f::fmin, {-9, 9}, {-9, 9}, [](auto a, auto b) { return std::fmin(a, b); }),
      binary("copysign", f::copysign, {-9, 9}, {-9, 9}, [](auto a, auto b) { return std::copysign(a, b); }),
      {"lerp",
       f::lerp,
       {{-9, 9}, {-9, 9}, {-2, 2}},
       [](const double* x) { return x[0] + x[2] * (x[1] - x[0]); },
       [](const float* x) { return x[2] < 0.5F ? x[0] + x[2] * (x[1] - x[0]) : x[1] - (x[1] - x[0]) * (1.0F - x[2]); }},
  };
}

template <typename F>
Function with(std::array<double, 3> parameter, Function function, F device) {
  function.parameter = parameter;
  function.device = [=](const float* x) { return device(x[0]); };
  return function;
}

std::vector<Function> activations() {
  namespace f = functions;
  const auto gate = [](auto x) { return std::min(std::max(x + 3, decltype(x)(0)), decltype(x)(6)); };
  return {
      unary("mish", f::mish, -20, 20, [](auto x) { return x * std::tanh(std::log1p(std::exp(x))); }),
      unary("hardswish", f::hardswish, -9, 9, [=](auto x) { return x * gate(x) / 6; }),
      with({}, unary("hardswish by the reciprocal", f::hardswish, -9, 9, [=](auto x) { return x * gate(x) / 6; }),
           [=](float x) { return x * gate(x) * (1.0F / 6.0F); }),
      unary("hardsigmoid", f::hardsigmoid, -9, 9, [=](auto x) { return gate(x) / 6; }),
      with({0.01}, unary("leaky_relu", f::leaky_relu, -9, 9, [](auto x) { return x > 0 ? x : x * static_cast<decltype(x)>(0.01); }),
           [](float x) { return x > 0 ? x : x * 0.01F; }),
      with({1.5, 1.25, 0.75}, unary("elu", f::elu, -9, 9, [](double x) { return x > 0 ? x * 1.25 : std::expm1(0.75 * x) * 1.875; }),
           [](float x) { return x > 0 ? x * 1.25F : std::expm1(0.75F * x) * 1.875F; }),
      with({1.5, 1.25, 0.75}, unary("elu by exp", f::elu, -9, 9, [](double x) { return x > 0 ? x * 1.25 : std::expm1(0.75 * x) * 1.875; }),
           [](float x) { return x > 0 ? x * 1.25F : (std::exp(0.75F * x) - 1.0F) * 1.875F; }),
      with({2.0, 4.0}, unary("softplus", f::softplus, -9, 9, [](double x) { return 2 * x > 4 ? x : std::log1p(std::exp(2 * x)) / 2; }),
           [](float x) { return 2 * x > 4 ? x : std::log1p(std::exp(2 * x)) / 2; }),
      with({-1.0, 2.0}, unary("hardtanh", f::hardtanh, -9, 9, [](double x) { return std::min(std::max(x, -1.0), 2.0); }),
           [](float x) { return std::min(std::max(x, -1.0F), 2.0F); }),
      with({0.5}, unary("hardshrink", f::hardshrink, -2, 2, [](double x) { return std::abs(x) <= 0.5 ? 0.0 : x; }),
           [](float x) { return std::abs(x) <= 0.5F ? 0.0F : x; }),
      with({0.5}, unary("softshrink", f::softshrink, -2, 2, [](double x) { return x > 0.5    ? x - 0.5
                                                                                  : x < -0.5 ? x + 0.5
                                                                                             : 0.0; }),
           [](float x) { return x > 0.5F    ? x - 0.5F
                                : x < -0.5F ? x + 0.5F
                                            : 0.0F; }),
      with({0.5, 3.0}, unary("threshold", f::threshold, -2, 2, [](double x) { return x <= 0.5 ? 3.0 : x; }),
           [](float x) { return x <= 0.5F ? 3.0F : x; }),
  };
}

template <typename T>
T logistic(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

template <typename F>
Function ternary(const std::string& name, ElementFunction over_pairs, std::array<std::pair<double, double>, 3> domain, F function) {
  return {name,
          over_pairs,
          {domain.begin(), domain.end()},
          [=](const double* x) { return function(x[0], x[1], x[2]); },
          [=](const float* x) { return function(x[0], x[1], x[2]); }};
}

Function parametrised(std::array<double, 3> parameter, Function function) {
  function.parameter = parameter;
  return function;
}

std::vector<Function> special() {
  namespace f = functions;
  return {
      unary("sinc", f::sinc, -9, 9, [](auto x) { return x == 0 ? decltype(x)(1) : std::sin(decltype(x)(M_PI) * x) / (decltype(x)(M_PI) * x); }),
      unary("entr", f::entr, 0.01, 9, [](auto x) { return -x * std::log(x); }),
      binary("xlog1py", f::xlog1py, {-9, 9}, {-0.9, 50}, [](auto a, auto b) { return a * std::log1p(b); }),
      parametrised({2.0}, unary("round_decimals", f::round_decimals, -9, 9, [](auto x) { return std::nearbyint(x * 100) / 100; })),
      parametrised({-1.0}, unary("round_tens", f::round_decimals, -900, 900, [](auto x) { return std::nearbyint(x / 10) * 10; })),
      unary("log_sigmoid", f::log_sigmoid, -30, 30, [](auto x) { return std::min(x, decltype(x)(0)) - std::log1p(std::exp(-std::abs(x))); }),
      unary("exp_of_minus_magnitude", f::exp_of_minus_magnitude, -20, 20, [](auto x) { return std::exp(-std::abs(x)); }),
      parametrised({-1.0}, unary("logit", f::logit, 0.01, 0.99, [](auto x) { return std::log(x / (1 - x)); })),
      binary("prelu", f::prelu, {-9, 9}, {-2, 2}, [](auto x, auto w) { return x > 0 ? x : w * x; }),
      binary("glu", f::glu, {-9, 9}, {-20, 20}, [](auto a, auto b) { return a * logistic(b); }),
  };
}

std::vector<Function> gradients() {
  namespace f = functions;
  const std::pair<double, double> g{-9, 9}, x{-12, 12};
  return {
      binary("silu_backward", f::silu_backward, g, x, [](auto a, auto b) { return a * logistic(b) * (1 + b * (1 - logistic(b))); }),
      parametrised({1.5, 1.25, 0.75}, binary("elu_backward", f::elu_backward, g, x,
                                             [](auto a, auto b) {
                                               using T = decltype(a);
                                               return b > 0 ? a * T(1.25) : a * T(0.75) * T(1.875) * std::exp(T(0.75) * b);
                                             })),
      parametrised({1.5, 1.25, 0.75}, binary("elu_backward_of_result", f::elu_backward_of_result, g, {-1.8, 9},
                                             [](auto a, auto b) {
                                               using T = decltype(a);
                                               return b > 0 ? a * T(1.25) : a * T(0.75) * (b + T(1.875));
                                             })),
      parametrised({2.0, 4.0}, binary("softplus_backward", f::softplus_backward, g, x,
                                      [](auto a, auto b) { return 2 * b > 4 ? a : a * std::exp(2 * b) / (std::exp(2 * b) + 1); })),
      parametrised({-1.0}, binary("logit_backward", f::logit_backward, g, {0.05, 0.95}, [](auto a, auto b) { return a / (b * (1 - b)); })),
      binary("hardswish_backward", f::hardswish_backward, g, x,
             [](auto a, auto b) { return b <= -3  ? decltype(a)(0)
                                         : b >= 3 ? a
                                                  : a * (b / 3 + decltype(a)(0.5)); }),
      binary("hardsigmoid_backward", f::hardsigmoid_backward, g, {-2.9, 2.9}, [](auto a, auto) { return a / 6; }),
      parametrised({0.01}, binary("leaky_relu_backward", f::leaky_relu_backward, g, x,
                                  [](auto a, auto b) { return b > 0 ? a : a * static_cast<decltype(a)>(0.01); })),
      ternary("prelu_backward_self", f::prelu_backward_self, {g, x, x}, [](auto a, auto b, auto w) { return b > 0 ? a : a * w; }),
      ternary("prelu_backward_weight", f::prelu_backward_weight, {g, x, x}, [](auto a, auto b, auto) { return b > 0 ? decltype(a)(0) : a * b; }),
      ternary("glu_backward_second", f::glu_backward_second, {g, x, x},
              [](auto a, auto b, auto c) { return a * b * logistic(c) * (1 - logistic(c)); }),
  };
}

std::vector<Function> losses() {
  namespace f = functions;
  const std::pair<double, double> g{-9, 9}, x{-9, 9}, p{0.02, 0.98};
  return {
      binary("squared_difference", f::squared_difference, x, x, [](auto a, auto b) { return (a - b) * (a - b); }),
      parametrised({2.0}, binary("smooth_l1", f::smooth_l1, x, x,
                                 [](auto a, auto b) { return std::abs(a - b) < 2 ? (a - b) * (a - b) / 4 : std::abs(a - b) - 1; })),
      parametrised({1.5}, binary("huber", f::huber, x, x,
                                 [](auto a, auto b) {
                                   using T = decltype(a);
                                   const T z = std::abs(a - b);
                                   return z <= T(1.5) ? T(0.5) * z * z : T(1.5) * (z - T(0.75));
                                 })),
      binary("binary_cross_entropy", f::binary_cross_entropy, p, p, [](auto a, auto t) { return (t - 1) * std::log1p(-a) - t * std::log(a); }),
      parametrised({0.0, 3.0}, ternary("squared_difference_backward", f::squared_difference_backward, {g, x, x},
                                       [](auto a, auto b, auto t) { return a * (b - t) * 2 / 3; })),
      parametrised({2.0, 3.0},
                   ternary("smooth_l1_backward", f::smooth_l1_backward, {g, x, x},
                           [](auto a, auto b, auto t) { return a * std::min(std::max((b - t) / 2, decltype(a)(-1)), decltype(a)(1)) / 3; })),
      parametrised({1.5, 3.0},
                   ternary("huber_backward", f::huber_backward, {g, x, x},
                           [](auto a, auto b, auto t) { return a * std::min(std::max(b - t, decltype(a)(-1.5)), decltype(a)(1.5)) / 3; })),
      parametrised({0.0, 3.0}, ternary("binary_cross_entropy_backward", f::binary_cross_entropy_backward, {g, p, p},
                                       [](auto a, auto b, auto t) { return a * (b - t) / ((1 - b) * b) / 3; })),
  };
}

double between(std::pair<double, double> range) {
  return range.first + static_cast<double>(*rc::gen::inRange(0, 1000001)) / 1e6 * (range.second - range.first);
}

void check_device(const Function& function) {
  float x[3] = {};
  Pair operands[3] = {};
  for (std::size_t i = 0; i < function.domain.size(); ++i) operands[i].value = x[i] = static_cast<float>(between(function.domain[i]));
  const Pair reference = function.over_pairs(operands, element_of(function.parameter));
  if (!within(reference, static_cast<double>(function.device(x)), kUnit)) RC_FAIL(function.name);
}

void check_interval(const Function& function) {
  const double width = *rc::gen::element(0.0, 1e-6, 1e-2, 0.3);
  double x[3] = {};
  Pair operands[3] = {};
  for (std::size_t i = 0; i < function.domain.size(); ++i) {
    operands[i] = {between(function.domain[i]), width * static_cast<double>(*rc::gen::inRange(0, 101)) / 100.0};
    x[i] = operands[i].value + operands[i].bound * *rc::gen::element(-1.0, -0.999, -0.3, 0.5, 1.0);
    // Outside of the domain the function may be undefined, and nothing is promised of it.
    if (x[i] < function.domain[i].first || x[i] > function.domain[i].second) return;
  }
  const Pair reference = function.over_pairs(operands, element_of(function.parameter));
  if (!within(reference, function.exact(x), 1e-12)) RC_FAIL(function.name);
}

class Functions : public testing::TestWithParam<Function> {};

TEST_P(Functions, HoldWhatFloatComputes) {
  EXPECT_TRUE(rc::check([] { check_device(GetParam()); }));
}

TEST_P(Functions, HoldTheTrueValueAtEveryPointOfTheInterval) {
  EXPECT_TRUE(rc::check([] { check_interval(GetParam()); }));
}

// Twice what a device with the profile's errors could be off.
TEST_P(Functions, RefuseWhatIsFarOutside) {
  double x[3] = {};
  Pair operands[3] = {};
  for (std::size_t i = 0; i < GetParam().domain.size(); ++i) {
    const auto [low, high] = GetParam().domain[i];
    x[i] = operands[i].value = static_cast<float>(low + 0.7 * (high - low));
  }
  const Pair reference = GetParam().over_pairs(operands, element_of(GetParam().parameter));
  const double exact = GetParam().exact(x);
  EXPECT_NEAR(reference.value, exact, 1e-12 * std::abs(exact));
  EXPECT_FALSE(within(reference, exact * (1.0 + 1e-4) + 1e-4, kUnit));
}

std::string name_of_case(const testing::TestParamInfo<Function>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Transcendental, Functions, testing::ValuesIn(transcendental()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Arithmetic, Functions, testing::ValuesIn(arithmetic()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Special, Functions, testing::ValuesIn(special()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Gradient, Functions, testing::ValuesIn(gradients()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Loss, Functions, testing::ValuesIn(losses()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Activation, Functions, testing::ValuesIn(activations()), name_of_case);

TEST(ElementFunctions, AnInfiniteEndOfLerpDependsOnTheForm) {
  const Pair infinite[3] = {{HUGE_VAL, 0.0}, {1.0, 0.0}, {0.25, 0.0}}, nan[3] = {{NAN, 0.0}, {1.0, 0.0}, {0.25, 0.0}};
  EXPECT_TRUE(std::isinf(functions::lerp(infinite, element_of()).bound));
  EXPECT_EQ(functions::lerp(nan, element_of()).bound, 0.0);
}

TEST(ElementFunctions, AMultiplierThatOverflowsFirstIsUnknown) {
  const Pair x[3] = {{1.0, 0.0}, {-3e38, 0.0}, {0.0, 0.0}};
  EXPECT_TRUE(std::isinf(functions::multiply_add(x, element_of({3.0})).bound)) << "3 * -3e38 * 0 is NaN in this order";
  EXPECT_EQ(functions::multiply_add(x, element_of({1.0})).value, 1.0);
}

// A divisor that may be flushed may be zero, and the remainder NaN; an unknown operand makes all that picks it unknown.
TEST(ElementFunctions, WhatIsUnknownStaysUnknown) {
  const Pair flushed[2] = {{1e-5, 0.0}, {1e-40, 1e-40}}, unknown[2] = {{NAN, HUGE_VAL}, {3.0, 0.0}}, sign[2] = {{3.0, 0.0}, {NAN, HUGE_VAL}};
  for (const ElementFunction function : {functions::fmod, functions::remainder}) EXPECT_TRUE(std::isinf(function(flushed, element_of()).bound));
  for (const ElementFunction function : {functions::fmax, functions::fmin}) EXPECT_TRUE(std::isinf(function(unknown, element_of()).bound));
  EXPECT_GT(functions::copysign(sign, element_of()).bound, 0.0);
  EXPECT_EQ(functions::logical_not(unknown, element_of()).bound, 1.0);
  EXPECT_EQ(functions::sign_bit(unknown, element_of()).bound, 1.0);
}

// torch's own kernels answer NaN inputs by their lanes; erfinv is checked by its inverse.
TEST(ElementFunctions, GatedGradientsKnowNothingOfNan) {
  const Pair x[2] = {{2.0, 0.0}, {NAN, 0.0}};
  for (const ElementFunction function :
       {functions::hardshrink_backward, functions::hardtanh_backward, functions::hardsigmoid_backward, functions::hardswish_backward}) {
    EXPECT_TRUE(std::isinf(function(x, element_of({-1.0, 1.0})).bound));
  }
}

TEST(ElementFunctions, ErfinvInvertsErf) {
  for (const double y : {1e-30, 1e-5, 0.01, 0.3, 0.5, 0.9, 0.999, 0.9999999}) {
    const Pair x{y, 0.0};
    EXPECT_NEAR(std::erfc(functions::erfinv(&x, element_of()).value), 1.0 - y, 1e-15 + 1e-9 * (1.0 - y)) << y;
    const double back = std::erf(functions::erfinv(&x, element_of()).value) / y;
    EXPECT_NEAR(back, 1.0, 1e-14) << y;
  }
}

TEST(ElementFunctions, SpecialValues) {
  const Pair nan{NAN, 0.0}, infinities[2] = {{HUGE_VAL, 0.0}, {-HUGE_VAL, 0.0}}, zero_log[2] = {{0.0, 0.0}, {0.0, 0.0}};
  EXPECT_EQ(functions::sign(&nan, element_of()).value, 0.0) << "as the CPU";
  EXPECT_EQ(functions::logaddexp(infinities, element_of()).value, HUGE_VAL);
  EXPECT_EQ(functions::xlogy(zero_log, element_of()).value, 0.0);
  EXPECT_TRUE(std::isnan(functions::hardswish(infinities + 1, element_of()).value)) << "-inf * 0";
  const Pair minus_infinity{-HUGE_VAL, 0.0}, huge{-3e38, 0.0}, infinite_product[2] = {{HUGE_VAL, 0.0}, {0.5, 0.0}};
  EXPECT_EQ(functions::softplus(&minus_infinity, element_of({1.0, 20.0})).bound, 0.0);
  EXPECT_LT(functions::mish(&huge, element_of()).bound, 10.0);
  EXPECT_LT(functions::silu(&huge, element_of()).bound, 10.0);
  EXPECT_EQ(functions::xlogy(infinite_product, element_of()).value, -HUGE_VAL);
  EXPECT_EQ(functions::xlogy(infinite_product, element_of()).bound, 0.0);
  const Pair number_and_nan[2] = {{2.0, 0.0}, nan};
  EXPECT_EQ(functions::fmax(number_and_nan, element_of()).value, 2.0);
  EXPECT_EQ(functions::fmin(number_and_nan, element_of()).value, 2.0);
}

}  // namespace
}  // namespace neuroncheck::oracles
