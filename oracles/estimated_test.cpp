// The estimate for ops without a rule: torch's own float32 kernels lie inside, what is off by more than a rounding of the inputs explains does not.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "oracles/active_context.h"
#include "oracles/profile.h"
#include "oracles/reference.h"

namespace neuroncheck::oracles {
namespace {

Profile named_profile() {
  Profile profile;
  profile.name = "test";
  return profile;
}

class Estimated : public testing::Test {
 protected:
  Estimated() { register_reference_backend(); }

  static at::Tensor leaf(const at::Tensor& plain) { return wrap_leaf(plain); }
  static at::Tensor bound_of(const at::Tensor& reference) {
    const PairTensor pair = unwrap(reference);
    return pair.bound.defined() ? pair.bound : at::zeros_like(pair.value);
  }
  // Within the bound and one rounding to float32.
  static bool holds(const at::Tensor& reference, const at::Tensor& got) {
    const at::Tensor value = unwrap(reference).value;
    return got.to(at::kDouble).sub(value).abs().le(bound_of(reference) + value.abs() * 0x1p-24).all().item<bool>();
  }

  Profile profile_ = named_profile();
  Context context_{profile_};
  ContextScope scope_{context_};
};

TEST_F(Estimated, SaysSoAndWhy) {
  EXPECT_EQ(context_.strength(), Strength::rigorous);
  at::special_i1(leaf(at::randn({3})));
  EXPECT_EQ(context_.strength(), Strength::estimated);
  EXPECT_NE(context_.why().find("special_i1"), std::string::npos) << context_.why();
}

TEST_F(Estimated, HoldsForTorchsOwnKernelsAndNotForCoarserOnes) {
  const at::Tensor x = at::rand({200}).mul(6.0).add(2.5);
  for (const auto function : {at::special_i0e, at::special_i1, at::special_bessel_j0, at::lgamma, at::digamma}) {
    const at::Tensor reference = function(leaf(x));
    const at::Tensor share = function(x).to(at::kDouble).sub(unwrap(reference).value).abs() / bound_of(reference);
    EXPECT_TRUE(holds(reference, function(x))) << share.max().item<double>() << " at " << x[share.argmax().item<std::int64_t>()].item<float>();
    EXPECT_FALSE(holds(reference, function(x.to(at::kBFloat16).to(at::kFloat))));
  }
}

TEST_F(Estimated, ReadsIntegersAsTheFloatsThatItMakes) {
  const at::Tensor x = at::arange(1, 40);
  for (const at::Tensor& integers : {x, x.to(at::kByte), x.gt(0)}) {
    const at::Tensor reference = at::lgamma(leaf(integers));
    EXPECT_EQ(unwrap(reference).shown, at::kFloat);
    EXPECT_TRUE(holds(reference, at::lgamma(integers)));
    EXPECT_LT(bound_of(reference).max().item<double>(), 1e-3);
  }
}

TEST_F(Estimated, KnowsHowSensitiveAMatrixIs) {
  const at::Tensor good = at::randn({5, 5}).add(at::eye(5).mul(8.0)), bad = at::ones({5, 5}).add(at::eye(5).mul(1e-3));
  const at::Tensor good_inverse = std::get<0>(at::linalg_inv_ex(leaf(good))), bad_inverse = std::get<0>(at::linalg_inv_ex(leaf(bad)));
  EXPECT_TRUE(holds(good_inverse, at::linalg_inv(good)));
  EXPECT_TRUE(holds(bad_inverse, at::linalg_inv(bad)));
  EXPECT_LT(bound_of(good_inverse).max().item<double>(), 1e-6);
  EXPECT_GT(bound_of(bad_inverse).max().item<double>(), 1e-3);
}

TEST_F(Estimated, KnowsNothingWhereAMovedInputLeavesTheDomain) {
  const at::Tensor reference = at::special_ndtri(leaf(at::ones({1})));
  EXPECT_TRUE(std::isinf(bound_of(reference).item<double>()));
}

TEST_F(Estimated, RandomOpsHaveNoEstimate) {
  at::Tensor noise = at::zeros({4});
  EXPECT_THROW(at::rrelu_with_noise(leaf(at::randn({4})), noise, 0.1, 0.3, true), std::logic_error);
}

}  // namespace
}  // namespace neuroncheck::oracles
