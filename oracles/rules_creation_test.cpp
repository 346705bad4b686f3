#include "oracles/rules_creation.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "oracles/active_context.h"
#include "oracles/bounded_tensor.h"
#include "oracles/reference.h"

namespace neuroncheck::oracles {
namespace {

class RulesCreationTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { register_reference_backend(); }

  static Profile profile() {
    Profile profile;
    profile.function_ulp = {{"pow", 16.0}};
    return profile;
  }

  // Within the bound, and one rounding of float32.
  static bool holds(const PairTensor& pair, const at::Tensor& device) {
    const at::Tensor bound = pair.bound.defined() ? pair.bound : at::zeros_like(pair.value);
    return (device.to(at::kDouble) - pair.value).abs().le(bound + (pair.value.abs() + bound) * 0x1p-24 + 1e-44).all().item<bool>();
  }

  Profile profile_ = profile();
  Context context_{profile_};
  ContextScope scope_{context_};
};

using Schedule = float (*)(float start, float end, float i, float last);

float from_the_start(float start, float end, float i, float last) { return start + i * ((end - start) / last); }
float from_the_end(float start, float end, float i, float last) { return end - (last - i) * ((end - start) / last); }
float between_the_ends(float start, float end, float i, float last) { return start * (1.0F - i / last) + end * (i / last); }

// The inner values as a device computes them in float32; the ends are given.
at::Tensor simulated(Schedule schedule, float start, float end, std::int64_t steps) {
  at::Tensor values = at::empty({steps});
  for (std::int64_t i = 0; i < steps; ++i) {
    const float inner = schedule(start, end, static_cast<float>(i), static_cast<float>(steps - 1));
    values.mutable_data_ptr<float>()[i] = i == 0 ? start : i == steps - 1 ? end : inner;
  }
  return values;
}

TEST_F(RulesCreationTest, LinspaceHoldsForEachScheduleAndForNothingTwiceAsFar) {
  at::manual_seed(3);
  for (int trial = 0; trial < 500; ++trial) {
    const at::Tensor ends = at::randn({2}) * std::exp2(static_cast<double>(trial % 20) - 10.0);
    const auto start = ends[0].item<float>(), end = ends[1].item<float>();
    const std::int64_t steps = 3 + trial % 130;
    const PairTensor pair = linspace_values({{start, 0.0}, {end, 0.0}, steps}, at::kFloat, context_);
    for (const Schedule schedule : {from_the_start, from_the_end, between_the_ends}) EXPECT_TRUE(holds(pair, simulated(schedule, start, end, steps)));
    at::Tensor off = pair.value.clone();
    off[1] += 2.0 * pair.bound[1] + pair.value[1].abs() * 0x1p-22;
    EXPECT_FALSE(holds(pair, off));
  }
}

TEST_F(RulesCreationTest, LinspaceKeepsItsEnds) {
  const PairTensor pair = linspace_values({{0.1F, 0.0}, {0.7F, 0.0}, 7}, at::kFloat, context_);
  EXPECT_EQ(pair.value[0].item<double>(), 0.1F);
  EXPECT_EQ(pair.value[6].item<double>(), 0.7F);
  EXPECT_EQ(pair.bound[0].item<double>(), 0.0);
  EXPECT_EQ(pair.bound[6].item<double>(), 0.0);
}

TEST_F(RulesCreationTest, LogspaceHoldsForTorchsOwnKernelAndForNothingTwiceAsFar) {
  const PairTensor exponents = linspace_values({{-2.0, 0.0}, {1.7F, 0.0}, 40}, at::kFloat, context_);
  const PairTensor pair = logspace_values(exponents, 10.0, context_);
  EXPECT_TRUE(holds(pair, at::logspace(-2.0, 1.7F, 40, 10.0)));
  EXPECT_FALSE(holds(pair, pair.value + 2.0 * pair.bound + pair.value * 0x1p-22));
}

TEST_F(RulesCreationTest, SumsOfWhatWasCopiedHoldUnlessATermIsDropped) {
  at::manual_seed(4);
  const at::Tensor grad = at::randn({1, 3, 16}), self = at::randn({1, 3, 9});
  at::Tensor dropped = grad.clone();
  dropped.select(2, 1).zero_();
  const auto reflected = [&](const at::Tensor& g) { return at::reflection_pad1d_backward(g, self, {4, 3}); };
  const auto replicated = [&](const at::Tensor& g) { return at::replication_pad1d_backward(g, self, {4, 3}); };
  EXPECT_TRUE(holds(unwrap(at::reflection_pad1d_backward(wrap_leaf(grad), wrap_leaf(self), {4, 3})), reflected(grad)));
  EXPECT_FALSE(holds(unwrap(at::reflection_pad1d_backward(wrap_leaf(grad), wrap_leaf(self), {4, 3})), reflected(dropped)));
  EXPECT_TRUE(holds(unwrap(at::replication_pad1d_backward(wrap_leaf(grad), wrap_leaf(self), {4, 3})), replicated(grad)));
  EXPECT_FALSE(holds(unwrap(at::replication_pad1d_backward(wrap_leaf(grad), wrap_leaf(self), {4, 3})), replicated(dropped)));
  const at::Tensor columns = at::randn({1, 18, 12});
  at::Tensor less = columns.clone();
  less.select(2, 5).zero_();
  const auto image = [](const at::Tensor& c) { return at::col2im(c, {5, 6}, {3, 3}, {1, 1}, {0, 0}, {1, 1}); };
  EXPECT_TRUE(holds(unwrap(image(wrap_leaf(columns))), image(columns)));
  EXPECT_FALSE(holds(unwrap(image(wrap_leaf(columns))), image(less)));
}

TEST_F(RulesCreationTest, ViewsChangedInPlaceStayViews) {
  const at::Tensor base = wrap_leaf(at::arange(6, at::kFloat).view({2, 3}));
  const at::Tensor view = at::alias(base);
  view.transpose_(0, 1);
  EXPECT_EQ(view.sizes(), at::IntArrayRef({3, 2}));
  view.select(0, 2).fill_(7.0);
  EXPECT_TRUE(unwrap(base).value.equal(at::tensor({0.0, 1.0, 7.0, 3.0, 4.0, 7.0}, at::kDouble).view({2, 3})));
}

TEST_F(RulesCreationTest, ResizeKeepsWhatFitsAndDoubtsTheRest) {
  const at::Tensor tensor = wrap_leaf(at::arange(6, at::kFloat));
  tensor.resize_({2, 2});
  EXPECT_TRUE(unwrap(tensor).value.equal(at::tensor({0.0, 1.0, 2.0, 3.0}, at::kDouble).view({2, 2})));
  EXPECT_FALSE(unwrap(tensor).bound.defined());
  tensor.resize_({99});
  EXPECT_TRUE(unwrap(tensor).bound.isinf().all().item<bool>());
}

TEST_F(RulesCreationTest, DrawnValuesLieInTheirRange) {
  const PairTensor uniform = unwrap(wrap_leaf(at::zeros({8})).uniform_(2.0, 3.0));
  EXPECT_TRUE(uniform.value.eq(2.5).all().item<bool>());
  EXPECT_TRUE(uniform.bound.eq(0.5).all().item<bool>());
  const PairTensor dice = unwrap(at::randint_like(wrap_leaf(at::zeros({8}, at::kLong)), 1, 7));
  EXPECT_TRUE((dice.value.to(at::kDouble) - dice.bound).le(1.0).all().item<bool>());
  EXPECT_TRUE((dice.value.to(at::kDouble) + dice.bound).eq(6.0).all().item<bool>());
}

}  // namespace
}  // namespace neuroncheck::oracles
