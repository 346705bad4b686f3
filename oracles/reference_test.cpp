#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "harness/number_format.h"
#include "harness/program_runner.h"
#include "oracles/reference_scene.h"
#include "oracles/rule_table.h"

namespace neuroncheck::oracles {
namespace {

TEST_F(ReferenceTest, AddOfLeavesIsExact) {
  const at::Tensor a = at::randn({3, 4}), b = at::randn({4});
  const at::Tensor result = leaf(a) + leaf(b);
  EXPECT_TRUE(is_exact(result));
  EXPECT_TRUE(unwrap(result).value.equal(a.to(at::kDouble) + b.to(at::kDouble)));
  EXPECT_EQ(result.scalar_type(), at::kFloat);
}

TEST_F(ReferenceTest, ScalarThatTheDtypeCannotHoldMayBeRounded) {
  const at::Tensor x = at::ones({2}, at::kBFloat16);
  EXPECT_TRUE(is_exact(leaf(x) * 0.5));
  EXPECT_GT(largest_bound(leaf(x) * 0.1), 0.0);
}

TEST_F(ReferenceTest, PromotionShowsTheTestedDtypes) {
  const at::Tensor half = leaf(at::ones({2}, at::kHalf)), single = leaf(at::ones({2}));
  EXPECT_EQ((half + single).scalar_type(), at::kFloat);
  EXPECT_EQ((half + leaf(at::ones({}))).scalar_type(), at::kHalf);
  EXPECT_EQ((half + 2.0).scalar_type(), at::kHalf);
  EXPECT_EQ((half + at::ones({2}, at::kLong)).scalar_type(), at::kHalf);
  EXPECT_EQ(half.lt(single).scalar_type(), at::kBool);
  EXPECT_EQ(half.sum(at::kDouble).scalar_type(), at::kDouble);
  EXPECT_EQ(half.to(at::kFloat).scalar_type(), at::kFloat);
}

TEST_F(ReferenceTest, MatmulOfIntegersIsExactAndOfRealsIsNot) {
  const at::Tensor a = at::randint(-8, 9, {5, 64}).to(at::kFloat), b = at::randint(-8, 9, {64, 3}).to(at::kFloat);
  EXPECT_TRUE(is_exact(at::mm(leaf(a), leaf(b))));
  const at::Tensor x = at::randn({5, 64}), y = at::randn({64, 3});
  const at::Tensor reference = at::mm(leaf(x), leaf(y));
  EXPECT_FALSE(is_exact(reference));
  EXPECT_TRUE(holds(reference, at::mm(x, y)));
  EXPECT_FALSE(holds(reference, at::mm(x.narrow(1, 0, 63), y.narrow(0, 0, 63))));
  EXPECT_FALSE(holds(reference, at::mm(x.to(at::kBFloat16), y.to(at::kBFloat16))));
}

TEST_F(ReferenceTest, LinearOpsHoldForTorchsOwnKernels) {
  const at::Tensor x = at::randn({2, 3, 9, 9}), w = at::randn({4, 3, 3, 3}), b = at::randn({4});
  EXPECT_TRUE(holds(at::conv2d(leaf(x), leaf(w), leaf(b)), at::conv2d(x, w, b)));
  EXPECT_TRUE(holds(at::avg_pool2d(leaf(x), {3, 2}), at::avg_pool2d(x, {3, 2})));
  EXPECT_TRUE(holds(at::mean(leaf(x), {1, 2}), at::mean(x, {1, 2})));
  EXPECT_TRUE(holds(at::cumsum(leaf(x), 2), at::cumsum(x, 2)));
  EXPECT_TRUE(holds(at::addmm(leaf(w[0][0]), leaf(w[0][1]), leaf(w[0][2]), 0.3, 1.7), at::addmm(w[0][0], w[0][1], w[0][2], 0.3, 1.7)));
  const at::Tensor index = at::randint(0, 4, {40}), source = at::randn({40});
  EXPECT_TRUE(holds(at::scatter_add(leaf(b), 0, index, leaf(source)), at::scatter_add(b, 0, index, source)));
}

TEST_F(ReferenceTest, RowOpsHoldForTorchsOwnKernels) {
  const at::Tensor x = at::randn({4, 33}) * 3.0, w = at::randn({33}), b = at::randn({33});
  EXPECT_TRUE(holds(at::softmax(leaf(x), 1), at::softmax(x, 1)));
  EXPECT_TRUE(holds(at::softmax(leaf(x), 0), at::softmax(x, 0)));
  EXPECT_TRUE(holds(at::log_softmax(leaf(x), 1), at::log_softmax(x, 1)));
  EXPECT_TRUE(holds(at::logsumexp(leaf(x), 1), at::logsumexp(x, 1)));
  EXPECT_TRUE(holds(at::var(leaf(x), 1), at::var(x, 1)));
  EXPECT_TRUE(holds(at::var(leaf(x)), at::var(x)));
  EXPECT_TRUE(holds(at::prod(leaf(x.narrow(1, 0, 5)), 1), at::prod(x.narrow(1, 0, 5), 1)));
  const auto norm = at::native_layer_norm(leaf(x), {33}, leaf(w), leaf(b), 1e-5), plain = at::native_layer_norm(x, {33}, w, b, 1e-5);
  EXPECT_TRUE(holds(std::get<0>(norm), std::get<0>(plain)));
  EXPECT_TRUE(holds(std::get<1>(norm), std::get<1>(plain)));
  EXPECT_TRUE(holds(std::get<2>(norm), std::get<2>(plain)));
}

TEST_F(ReferenceTest, NormsOverChannelsHoldForTorchsOwnKernels) {
  const at::Tensor x = at::randn({4, 6, 5}) + 1.0, w = at::randn({6}), b = at::randn({6}), g = at::randn({4, 6, 5});
  const at::Tensor mean = at::randn({6}), var = at::rand({6}) + 0.5;
  at::Tensor running_mean = leaf(mean.clone()), running_var = leaf(var.clone()), plain_mean = mean.clone(), plain_var = var.clone();
  const auto norm = at::native_batch_norm(leaf(x), leaf(w), leaf(b), running_mean, running_var, true, 0.1, 1e-5);
  const auto plain = at::native_batch_norm(x, w, b, plain_mean, plain_var, true, 0.1, 1e-5);
  EXPECT_TRUE(holds(std::get<0>(norm), std::get<0>(plain)));
  EXPECT_TRUE(holds(std::get<2>(norm), std::get<2>(plain)));
  EXPECT_TRUE(holds(running_mean, plain_mean));
  EXPECT_TRUE(holds(running_var, plain_var));
  EXPECT_FALSE(holds(running_var, var * 0.9 + x.var({0, 2}, false) * 0.1)) << "the running variance is unbiased";
  const auto& [out, saved_mean, saved_rstd] = plain;
  const auto back =
      at::native_batch_norm_backward(leaf(g), leaf(x), leaf(w), leaf(mean), leaf(var), leaf(saved_mean), leaf(saved_rstd), true, 1e-5, {1, 1, 1});
  const auto plain_back = at::native_batch_norm_backward(g, x, w, mean, var, saved_mean, saved_rstd, true, 1e-5, {1, 1, 1});
  EXPECT_TRUE(holds(std::get<0>(back), std::get<0>(plain_back)));
  EXPECT_TRUE(holds(std::get<1>(back), std::get<1>(plain_back)));
  EXPECT_FALSE(holds(std::get<1>(back), std::get<1>(plain_back) * 1.0001));
  const auto group = at::native_group_norm(leaf(x), leaf(w), leaf(b), 4, 6, 5, 3, 1e-5),
             plain_group = at::native_group_norm(x, w, b, 4, 6, 5, 3, 1e-5);
  EXPECT_TRUE(holds(std::get<0>(group), std::get<0>(plain_group)));
  EXPECT_FALSE(holds(std::get<0>(group), std::get<0>(at::native_group_norm(x, w, b, 4, 6, 5, 2, 1e-5))));
}

TEST_F(ReferenceTest, LengthsAndDistancesHoldForTorchsOwnKernels) {
  const at::Tensor x = at::randn({30, 7}), y = at::randn({28, 7});
  for (const double p : {2.0, 1.0, 3.0, 0.5}) {
    EXPECT_TRUE(holds(at::linalg_vector_norm(leaf(x), p, at::IntArrayRef({1})), at::linalg_vector_norm(x, p, at::IntArrayRef({1})))) << p;
    EXPECT_FALSE(holds(at::linalg_vector_norm(leaf(x), p, at::IntArrayRef({1})), at::linalg_vector_norm(x.narrow(1, 0, 6), p, at::IntArrayRef({1}))))
        << p;
    EXPECT_TRUE(holds(at::_cdist_forward(leaf(x), leaf(y), p, 0), at::_cdist_forward(x, y, p, 0))) << p;
    EXPECT_TRUE(holds(at::_pdist_forward(leaf(x), p), at::_pdist_forward(x, p))) << p;
  }
  EXPECT_TRUE(holds(at::renorm(leaf(x), 2.0, 0, 2.0), at::renorm(x, 2.0, 0, 2.0)));
  EXPECT_FALSE(holds(at::renorm(leaf(x), 2.0, 0, 2.0), at::renorm(x, 2.0, 0, 2.1)));
  EXPECT_TRUE(holds(at::logcumsumexp(leaf(x), 1), at::logcumsumexp(x, 1)));
}

TEST_F(ReferenceTest, NumbersComeBackAsNumbers) {
  EXPECT_TRUE(leaf(at::ones({3})).equal(leaf(at::ones({3}))));
  EXPECT_FALSE(at::allclose(leaf(at::ones({3})), leaf(at::full({3}, 1.5)), 0.0, 0.25));
  EXPECT_THROW(uncertain(at::ones({}), 0.5).item(), std::logic_error);
  at::Tensor out = leaf(at::zeros({}));
  EXPECT_EQ(unwrap(at::min_out(out, leaf(at::ones({3})))).value.item<double>(), 1.0) << "out is no second operand";
}

TEST_F(ReferenceTest, RoundingBetweenOpsIsOptional) {
  const at::Tensor x = at::randn({50}, at::kBFloat16);
  const at::Tensor reference = leaf(x).exp() * leaf(x);
  const at::Tensor rounded = x.exp() * x, fused = (x.to(at::kFloat).exp() * x.to(at::kFloat)).to(at::kBFloat16);
  EXPECT_TRUE(holds(reference, rounded));
  EXPECT_TRUE(holds(reference, fused));
  EXPECT_LT(largest_bound(leaf(x).exp()), 1e-3);  // the last output itself is not rounded by the reference
}

TEST_F(ReferenceTest, CastOfTheProgramIsSemantic) {
  const at::Tensor x = at::full({1}, 1.0 + 1.0 / 512.0);
  const at::Tensor result = leaf(x).to(at::kBFloat16).to(at::kFloat);
  EXPECT_EQ(unwrap(result).value.item<double>(), 1.0);
  EXPECT_TRUE(is_exact(result));
}

// --- traps of wrapping ---

TEST_F(ReferenceTest, SavedVariablesKeepThePair) {
  const at::Tensor x = leaf(at::randn({6})).requires_grad_(true);
  const at::Tensor y = x.exp();
  const auto gradient = torch::autograd::grad({y.sum()}, {x})[0];
  EXPECT_TRUE(is_bounded(gradient));
  EXPECT_GT(largest_bound(gradient), 0.0);
}

TEST_F(ReferenceTest, WritesThroughViewsReachTheBase) {
  const at::Tensor base = leaf(at::ones({3, 4}));
  base.select(0, 1).mul_(uncertain(at::full({4}, 2.0), 0.25));
  const PairTensor pair = unwrap(base);
  EXPECT_EQ(pair.value.sum().item<double>(), 16.0);
  EXPECT_EQ(pair.bound[0].sum().item<double>(), 0.0);
  EXPECT_GE(pair.bound[1].min().item<double>(), 0.25);
}

TEST_F(ReferenceTest, InPlaceReturnsTheSameTensor) {
  at::Tensor x = leaf(at::ones({3}));
  EXPECT_TRUE(x.add_(1.0).is_same(x));
  EXPECT_EQ(unwrap(x).value.sum().item<double>(), 6.0);
}

TEST_F(ReferenceTest, OutFormsResizeAndCast) {
  at::Tensor out = leaf(at::zeros({0}, at::kDouble));
  at::add_out(out, leaf(at::ones({2})), leaf(at::ones({2})));
  EXPECT_EQ(out.sizes(), at::IntArrayRef({2}));
  EXPECT_EQ(out.scalar_type(), at::kDouble);
  EXPECT_EQ(unwrap(out).value.sum().item<double>(), 4.0);
}

TEST_F(ReferenceTest, ListsAreUnwrapped) {
  const at::Tensor x = leaf(at::arange(6.0).reshape({2, 3}));
  EXPECT_EQ(at::cat({x, uncertain(at::ones({1, 3}), 0.5)}, 0).sizes(), at::IntArrayRef({3, 3}));
  EXPECT_EQ(largest_bound(at::cat({x, uncertain(at::ones({1, 3}), 0.5)}, 0)), 0.5);
  EXPECT_EQ(unwrap(x.index({at::tensor({1}), at::tensor({2})})).value.item<double>(), 5.0);
}

TEST_F(ReferenceTest, PlainTensorNeverLosesABound) {
  at::Tensor plain = at::zeros({2});
  EXPECT_THROW(plain.add_(uncertain(at::ones({2}), 0.5)), std::logic_error);
  EXPECT_THROW(plain.copy_(leaf(at::rand({2})) * leaf(at::rand({2}))), std::logic_error);  // a value that the plain dtype would round
}

// Estimates are for values: an op that draws random numbers has none.
TEST_F(ReferenceTest, OpWithoutRuleSaysSo) {
  try {
    at::poisson(leaf(at::ones({2})));
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("aten::poisson"), std::string::npos) << error.what();
  }
}

// A line that names no operator, or a composite that is taken apart before it gets here, decides nothing.
TEST_F(ReferenceTest, EveryLineOfTheTableIsReached) {
  std::set<std::string> reached;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findOp(name);
    if (op && op->hasKernelForDispatchKey(c10::DispatchKey::PrivateUse2)) reached.insert({name.name, name.name + "." + name.overload_name});
  }
  std::string unreached;
  for (const auto& [line, rule] : rule_table()) {
    if (!reached.contains(line)) unreached += " " + line;
  }
  EXPECT_EQ(unreached, "");
}

TEST_F(ReferenceTest, FactoriesInsideFormulasAreExactArguments) {
  const at::Tensor x = leaf(at::randn({3}));
  EXPECT_TRUE(is_exact(at::where(x > 0, x, at::zeros({}))));
}

// torch's composite rounds partial sums to the dtype, which the product of three does not show.
TEST_F(ReferenceTest, TrilinearMayRoundPartialSums) {
  for (const at::ScalarType dtype : {at::kBFloat16, at::kHalf, at::kFloat}) {
    for (const std::vector<std::int64_t>& sums : {std::vector<std::int64_t>{2, 3}, {1, 2}, {1, 3}}) {  // 1: the dimension that is unrolled
      const at::Tensor left = at::randint(-2, 3, {7, 5}).to(dtype), weight = at::rand({3, 5, 6}).to(dtype), right = at::randn({7, 6}).to(dtype);
      const auto of = [&](const at::Tensor& a, const at::Tensor& b, const at::Tensor& c) {
        return at::_trilinear(a, b, c, {1, 3}, {0}, {1, 2}, sums);
      };
      const at::Tensor reference = of(leaf(left), leaf(weight), leaf(right));
      EXPECT_TRUE(holds(reference, of(left, weight, right))) << dtype << sums;
      EXPECT_FALSE(holds(reference, of(left, weight, right.mul(1.125)))) << dtype << sums;
      const at::Tensor ones = at::ones({3, 5, 6}).to(dtype), whole = at::ones({7, 6}).to(dtype);
      EXPECT_TRUE(is_exact(of(leaf(left), leaf(ones), leaf(whole))));
    }
  }
}

// --- random numbers ---

TEST_F(ReferenceTest, DropoutScalesTheDoubtOfItsInput) {
  const at::Tensor x = uncertain(at::full({2}, 3.0), 0.5);
  const PairTensor dropped = unwrap(std::get<0>(at::native_dropout(x, 0.75, true)));
  EXPECT_GE((dropped.value + dropped.bound).min().item<double>(), 14.0);  // 3.5 / 0.25
  EXPECT_LE((dropped.value + dropped.bound).max().item<double>(), 14.001);
  EXPECT_LE((dropped.value - dropped.bound).max().item<double>(), 0.0);
  EXPECT_NEAR(largest_bound(std::get<0>(at::native_dropout(x, 0.0, true))), 0.5, 1e-6);
}

TEST_F(ReferenceTest, RreluKeepsTheSlopesThatItDrew) {
  const at::Tensor x = at::tensor({-2.0, 0.0, 3.0}, at::kFloat);
  for (const bool trains : {true, false}) {
    at::Tensor noise = leaf(at::full({3}, 7.0));
    const PairTensor result = unwrap(at::rrelu_with_noise(leaf(x), noise, 0.125, 0.375, trains));
    EXPECT_EQ(result.value[0].item<double>(), -0.5);
    EXPECT_NEAR(result.bound[0].item<double>(), trains ? 0.25 : 0.0, 1e-6);
    EXPECT_EQ(result.value[2].item<double>(), 3.0);
    EXPECT_EQ(result.bound[2].item<double>(), 0.0);
    const PairTensor kept = unwrap(noise);
    EXPECT_EQ(kept.value[0].item<double>(), trains ? 0.25 : 7.0);
    EXPECT_EQ(kept.value[2].item<double>(), trains ? 1.0 : 7.0);
    EXPECT_EQ(is_exact(noise), !trains);
  }
}

TEST_F(ReferenceTest, LdexpMayRoundItsPower) {
  const at::Tensor x = at::randn({50}).to(at::kBFloat16), exponent = at::randn({50}).to(at::kBFloat16);
  EXPECT_TRUE(holds(at::ldexp(leaf(x), leaf(exponent)), at::ldexp(x, exponent)));
  const at::Tensor whole = at::tensor({-3.0, 0.0, 5.0}).to(at::kBFloat16);
  EXPECT_LT(largest_bound(at::ldexp(leaf(at::ones({3}).to(at::kBFloat16)), leaf(whole))), 1e-4);
}

TEST_F(ReferenceTest, PoolingDividesByWhatItIsTold) {
  const at::Tensor x = at::randn({1, 1, 4, 4});
  for (const std::int64_t divisor : {-2, 3}) {
    const at::Tensor reference = at::avg_pool2d(leaf(x), {2, 2}, {}, 0, false, true, divisor);
    EXPECT_TRUE(holds(reference, at::avg_pool2d(x, {2, 2}, {}, 0, false, true, divisor))) << divisor;
    EXPECT_LT(largest_bound(reference), 1e-6);
  }
}

// --- ambiguity ---

TEST_F(ReferenceTest, ComparisonNearItsThresholdIsAmbiguous) {
  const at::Tensor x = uncertain(at::tensor({0.9, 1.05, 3.0}, at::kFloat), 0.1);
  const at::Tensor over = x.gt(1.0);
  EXPECT_EQ(unwrap(over).bound.sum().item<double>(), 2.0);
  const at::Tensor chosen = at::where(over, leaf(at::full({3}, 5.0)), leaf(at::zeros({3})));
  EXPECT_EQ(unwrap(chosen).bound.to(at::kLong).sum().item<std::int64_t>(), 10);
}

}  // namespace
}  // namespace neuroncheck::oracles
