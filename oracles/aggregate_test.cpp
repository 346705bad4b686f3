#include "oracles/aggregate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "harness/number_format.h"
#include "harness/random.h"
#include "oracles/test_tensors.h"

namespace neuroncheck::oracles {
namespace {

enum class Data { normal, positive };
enum class Order { sequential, blocks_of_32, pairwise };

double draw(Data data, std::uint64_t seed, std::uint64_t i) {
  const auto words = philox(seed, i, 0);
  const double a = (words[0] + 1.0) * 0x1p-32, b = words[1] * 0x1p-32;
  return data == Data::positive ? a : std::sqrt(-2 * std::log(a)) * std::cos(2 * std::numbers::pi * b);
}

float sum_of(std::vector<float> terms, Order order) {
  if (order == Order::pairwise) {
    for (; terms.size() > 1; terms.resize((terms.size() + 1) / 2)) {
      for (std::size_t i = 0; 2 * i < terms.size(); ++i) terms[i] = 2 * i + 1 < terms.size() ? terms[2 * i] + terms[2 * i + 1] : terms[2 * i];
    }
    return terms[0];
  }
  float total = 0, block = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    block += terms[i];
    if (order == Order::blocks_of_32 && i % 32 != 31) continue;
    total = order == Order::sequential ? block : total + block;
    if (order != Order::sequential) block = 0;
  }
  return total;
}

// Dot products of bfloat16 vectors, accumulated in float32, rounded to `dtype` in the given way.
struct Products {
  Bounded expected;
  HostTensor got;
};
struct Setting {
  Dtype dtype;
  Data data;
  Order order = Order::sequential;
  Rounding rounding = Rounding::nearest_even;
  std::size_t dropped = 0;
};

Products products(const Setting& setting, std::uint64_t seed) {
  constexpr std::size_t kOutputs = 1024, kTerms = 64;
  std::vector<double> values, bounds, got;
  for (std::size_t i = 0; i < kOutputs; ++i) {
    double value = 0, magnitude = 0;
    std::vector<float> terms;
    for (std::size_t k = 0; k < kTerms; ++k) {
      const std::uint64_t at = 2 * (i * kTerms + k);
      const NumberFormat& format = format_of(Dtype::bfloat16);
      const double term = round_to(format, draw(setting.data, seed, at)) * round_to(format, draw(setting.data, seed, at + 1));
      value += term;
      magnitude += std::abs(term);
      if (k >= setting.dropped) terms.push_back(static_cast<float>(term));
    }
    values.push_back(value);
    bounds.push_back(kTerms * 0x1p-24 * magnitude);
    got.push_back(round_to(format_of(setting.dtype), static_cast<double>(sum_of(terms, setting.order)), setting.rounding));
  }
  return {testing_tensors::bounded(setting.dtype, values, bounds), testing_tensors::tensor(setting.dtype, got)};
}

bool alarms(const Setting& setting, std::uint64_t seed) {
  const Products run = products(setting, seed);
  return find_bias(run.expected, run.got).has_value();
}

TEST(Aggregate, RaisesNoAlarmOverLegalOrders) {
  int alarmed = 0;
  for (const Dtype dtype : {Dtype::bfloat16, Dtype::float16, Dtype::float32}) {
    for (const Data data : {Data::normal, Data::positive}) {
      for (const Order order : {Order::sequential, Order::blocks_of_32, Order::pairwise}) {
        for (std::uint64_t seed = 0; seed < 10; ++seed) alarmed += alarms({dtype, data, order}, seed) ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(alarmed, 0);
}

TEST(Aggregate, SeesTruncationAndADroppedTerm) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    EXPECT_TRUE(alarms({Dtype::bfloat16, Data::positive, Order::sequential, Rounding::toward_zero}, seed));
    EXPECT_TRUE(alarms({Dtype::bfloat16, Data::normal, Order::sequential, Rounding::toward_zero}, seed)) << "along the sign";
    EXPECT_TRUE(alarms({Dtype::float32, Data::positive, Order::sequential, Rounding::nearest_even, 1}, seed));
  }
}

TEST(Aggregate, SaysNothingAboutFewOutputs) {
  const Products run = products({Dtype::bfloat16, Data::positive, Order::sequential, Rounding::toward_zero}, 0);
  Bounded few = run.expected;
  few.values.resize(999);
  few.bounds.resize(999);
  EXPECT_FALSE(find_bias(few, run.got));
}

TEST(Aggregate, KeepsToRandomFillsOfSums) {
  Case test_case;
  TensorSpec square;
  square.sizes = {Dim{8}, Dim{8}};
  test_case.program.inputs = {square, square};
  test_case.program.nodes = {Node{"aten::mm", {}}};
  EXPECT_TRUE(aggregate_applies(test_case, {}));
  Case constant = test_case;
  constant.program.inputs[0].fill.kind = FillKind::constant;
  EXPECT_FALSE(aggregate_applies(constant, {}));
  Case grid = test_case;  // a column times a row
  grid.program.inputs[0].sizes[1] = grid.program.inputs[1].sizes[0] = Dim{1};
  EXPECT_FALSE(aggregate_applies(grid, {}));
  Case softmax = test_case;
  softmax.program.nodes[0].op = "aten::_softmax";
  EXPECT_FALSE(aggregate_applies(softmax, {}));
  Profile stochastic;
  stochastic.rounding = OutputRounding::stochastic;
  EXPECT_FALSE(aggregate_applies(test_case, stochastic));
}

}  // namespace
}  // namespace neuroncheck::oracles
