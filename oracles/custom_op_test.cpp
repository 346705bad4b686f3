// Operators that users bring, registered here from C++ as their module would from Python.
#include "oracles/custom_op.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include <cmath>
#include <limits>

#include "harness/operators.h"
#include "harness/user_error.h"
#include "oracles/active_context.h"
#include "oracles/reference.h"

namespace neuroncheck::oracles {
namespace {

TORCH_LIBRARY(neuroncheck_custom_test, library) {
  library.def("estimated(Tensor x, float scale) -> Tensor");
  library.def("stated(Tensor x, float scale) -> Tensor");
  library.def("accumulated(Tensor x, float scale) -> Tensor");
  library.def("wrong_count(Tensor x) -> (Tensor, Tensor)");
  library.def("writes(Tensor(a!) x) -> Tensor(a!)");
  library.def("fake(Tensor x) -> Tensor");
  library.def("composite(Tensor x, float scale) -> Tensor", [](const at::Tensor& x, double scale) { return x.exp() * scale * 2.0; });
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<at::Tensor> scaled_exp(const std::vector<c10::IValue>& arguments) { return {arguments[0].toTensor().exp() * arguments.at(1).toDouble()}; }

std::vector<at::Tensor> sum_in_order(const std::vector<c10::IValue>& arguments) {
  const at::Tensor x = arguments.at(0).toTensor();
  at::Tensor total = at::zeros({}, x.options());
  for (const at::Tensor& term : x.unbind()) total = total + term;
  return {total};
}

std::vector<at::Tensor> two_eps(const std::vector<c10::IValue>& arguments) {
  return {at::full_like(arguments.at(1).toTensor(), 2.0 * arguments[0].toDouble())};
}

class CustomOperator : public testing::Test {
 protected:
  CustomOperator() {
    register_reference_backend();
    static const bool kOnce = [] {
      register_custom_op({"neuroncheck_custom_test::estimated", scaled_exp, {}});
      register_custom_op({"neuroncheck_custom_test::stated", scaled_exp, two_eps});
      register_custom_op({"neuroncheck_custom_test::accumulated", sum_in_order, {}});
      register_custom_op({"neuroncheck_custom_test::wrong_count", [](const auto& arguments) { return std::vector{arguments[0].toTensor()}; }, {}});
      register_custom_op({"neuroncheck_custom_test::composite", scaled_exp, {}});
      return true;
    }();
    static_cast<void>(kOnce);
  }

  static at::Tensor called(const std::string& name, const at::Tensor& x) {
    torch::jit::Stack stack = {x, 3.0};
    find_operator("neuroncheck_custom_test::" + name).callBoxed(stack);
    return stack.at(0).toTensor();
  }

  Profile profile_ = [] {
    Profile profile;
    profile.name = "test";
    return profile;
  }();
  Context context_{profile_};
  ContextScope scope_{context_};
  at::Tensor x_ = at::linspace(-2, 2, 9, at::kFloat);
};

TEST_F(CustomOperator, RunsOnPlainCpuByItsReferenceRounded) {
  const at::Tensor wanted = x_.to(at::kDouble).exp().mul(3.0);
  EXPECT_TRUE(at::equal(called("estimated", x_), wanted.to(at::kFloat)));
  EXPECT_TRUE(at::equal(called("estimated", x_.to(at::kBFloat16)), x_.to(at::kBFloat16).to(at::kDouble).exp().mul(3.0).to(at::kBFloat16)));
}

TEST_F(CustomOperator, IsEstimatedByHowFarItsReferenceMoves) {
  const PairTensor pair = unwrap(called("estimated", wrap_leaf(x_)));
  EXPECT_EQ(context_.strength(), Strength::estimated);
  EXPECT_TRUE(at::equal(pair.value, x_.to(at::kDouble).exp().mul(3.0)));
  const at::Tensor off = x_.exp().mul(3.0).to(at::kDouble).sub(pair.value).abs();
  EXPECT_TRUE(off.le(pair.bound + pair.value.abs() * 0x1p-24).all().item<bool>());
  EXPECT_TRUE(pair.bound.lt(1e-5 * pair.value.abs()).all().item<bool>());
}

// A sum in order is off by more than moved inputs explain, where all terms round alike; one that overflows is in doubt.
TEST_F(CustomOperator, MayAccumulateAsItsReferenceDoesInFloat32) {
  const at::Tensor terms = at::full({4096}, 1.0F + 0x1p-23F), huge = at::tensor({3e38F, 3e38F, -3e38F}, at::kFloat);
  const PairTensor pair = unwrap(called("accumulated", wrap_leaf(terms)));
  const double off = std::abs(sum_in_order({terms})[0].item<double>() - pair.value.item<double>());
  EXPECT_LE(off, pair.bound.item<double>());
  EXPECT_LT(pair.bound.item<double>(), 1e-3 * pair.value.item<double>());
  EXPECT_EQ(unwrap(called("accumulated", wrap_leaf(huge))).bound.item<double>(), kInfinity);
}

TEST_F(CustomOperator, HasTheBoundItsAuthorStates) {
  const PairTensor pair = unwrap(called("stated", wrap_leaf(x_)));
  EXPECT_EQ(context_.strength(), Strength::rigorous);
  EXPECT_TRUE(at::equal(pair.bound, at::full({9}, 0x1p-22, at::kDouble)));
  EXPECT_EQ(pair.shown, at::kFloat);
  const PairTensor special = unwrap(called("stated", wrap_leaf(at::tensor({kInfinity, kNan, 1.0}, at::kFloat))));
  EXPECT_TRUE(at::equal(special.bound, at::tensor({0.0, 0.0, 0x1p-22}, at::kDouble)));
}

// What is in doubt of an operand adds to the bound, which does not go away.
TEST_F(CustomOperator, KeepsItsBoundWhereOperandsAreInDoubt) {
  PairTensor operand{x_.to(at::kDouble), at::zeros({9}, at::kDouble), at::kFloat, true, false, nullptr};
  operand.bound[0] = 0.125;
  const PairTensor pair = unwrap(called("stated", wrap(operand)));
  EXPECT_EQ(context_.strength(), Strength::estimated);
  EXPECT_TRUE(pair.bound.ge(0x1p-22).all().item<bool>());
  EXPECT_GE(pair.bound[0].item<double>(), 3.0 * (std::exp(-1.875) - std::exp(-2.0)));
  EXPECT_LT(pair.bound[8].item<double>(), 1e-4);
}

TEST_F(CustomOperator, ThatDecomposesHasItsReferenceAllTheSame) {
  const PairTensor pair = unwrap(called("composite", wrap_leaf(x_)));
  EXPECT_TRUE(at::equal(pair.value, x_.to(at::kDouble).exp().mul(3.0)));
}

TEST_F(CustomOperator, IsRefusedWhereItCannotBeJudged) {
  EXPECT_THROW(register_custom_op({"neuroncheck_custom_test::none", scaled_exp, {}}), UserError);
  EXPECT_THROW(register_custom_op({"neuroncheck_custom_test::writes", scaled_exp, {}}), UserError);
  EXPECT_THROW(register_custom_op({"neuroncheck_custom_test::fake", {}, {}}), UserError);
  torch::jit::Stack stack = {x_};
  try {
    find_operator("neuroncheck_custom_test::wrong_count").callBoxed(stack);
    ADD_FAILURE() << "one tensor in place of two";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("returns 1 tensors, the operator 2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(register_custom_op({"aten::relu", scaled_exp, {}}), UserError);
  EXPECT_THROW(register_custom_op({"aten::relu", {}, two_eps}), UserError);
}

}  // namespace
}  // namespace neuroncheck::oracles
