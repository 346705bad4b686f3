// Transforms and complex arithmetic: what float32 computes lies inside, in the library's way and by the definition; a lost term does not.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <numbers>

#include "oracles/active_context.h"
#include "oracles/profile.h"
#include "oracles/reference.h"

namespace neuroncheck::oracles {
namespace {

class Complex : public testing::Test {
 protected:
  Complex() { register_reference_backend(); }

  Profile profile_;
  Context context_{profile_};
  ContextScope scope_{context_};
};

// Both in parts.
testing::AssertionResult holds(const at::Tensor& reference, const at::Tensor& got) {
  const PairTensor pair = unwrap(reference);
  const at::Tensor bound = pair.bound.defined() ? pair.bound : at::zeros_like(pair.value);
  const at::Tensor error = got.to(at::kDouble).sub(pair.value).abs();
  if (error.le(bound + pair.value.abs() * 6e-8).all().item<bool>()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "largest error " << error.max().item<double>() << ", bounds from " << bound.min().item<double>();
}

at::Tensor spectrum_of(const at::Tensor& x) { return at::view_as_real(at::_fft_r2c(x, {0}, 0, false)); }

// By the definition, every product and sum in float32.
at::Tensor by_definition(const at::Tensor& x) {
  const std::int64_t n = x.size(0);
  at::Tensor parts = at::zeros({n, 2});
  for (std::int64_t k = 0; k < n; ++k) {
    std::complex<float> sum = 0.0F;
    for (std::int64_t j = 0; j < n; ++j) {
      const double angle = -2.0 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
      sum += x[j].item<float>() * std::complex<float>(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
    }
    parts[k][0] = sum.real();
    parts[k][1] = sum.imag();
  }
  return parts;
}

TEST_F(Complex, TransformsHoldInEveryWayOfComputingThem) {
  for (const std::int64_t n : {1, 2, 7, 8, 33, 127, 128}) {
    const at::Tensor x = at::randn({n});
    const at::Tensor reference = spectrum_of(wrap_leaf(x));
    EXPECT_TRUE(holds(reference, spectrum_of(x))) << n;
    EXPECT_TRUE(holds(reference, by_definition(x))) << n;
  }
}

using Binary = std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>;

TEST_F(Complex, ArithmeticIsEstimated) {
  const auto number = [](const at::Tensor& parts) { return at::view_as_complex(parts); };
  const std::vector<Binary> functions = {[](const at::Tensor& a, const at::Tensor& b) { return a + b; },
                                         [](const at::Tensor& a, const at::Tensor& b) { return a * b; },
                                         [](const at::Tensor& a, const at::Tensor& b) { return a / b; },
                                         [](const at::Tensor& a, const at::Tensor& b) { return a.exp() - b.sqrt(); },
                                         [](const at::Tensor& a, const at::Tensor& b) { return at::mm(a, b); },
                                         [](const at::Tensor& a, const at::Tensor& b) { return a.cumsum(0, at::kComplexFloat) * b.conj(); }};
  const at::Tensor a = at::randn({6, 6, 2}), b = at::randn({6, 6, 2});
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto parts_of = [&](const at::Tensor& x, const at::Tensor& y) {
      return at::view_as_real(functions[i](number(x), number(y)).resolve_conj());
    };
    const at::Tensor reference = parts_of(wrap_leaf(a), wrap_leaf(b)), seen = parts_of(a, b);
    EXPECT_TRUE(holds(reference, seen)) << i;
    EXPECT_FALSE(holds(reference, seen + seen.abs().max() * 1e-3)) << i;
  }
  EXPECT_EQ(context_.strength(), Strength::estimated);
}

TEST_F(Complex, CastsKeepTheRealPart) {
  const at::Tensor x = at::randn({5});
  EXPECT_TRUE(holds(at::view_as_real(wrap_leaf(x).to(at::kComplexFloat)), at::view_as_real(x.to(at::kComplexFloat))));
  EXPECT_TRUE(holds(at::view_as_complex(wrap_leaf(at::stack({x, x}, -1))).to(at::kFloat), x));
}

TEST_F(Complex, ALostTermIsOutside) {
  for (const std::int64_t n : {2, 8, 127, 128}) {
    const at::Tensor x = at::randn({n});
    x[n - 1].fill_(2.0);
    const at::Tensor lost = x.clone();
    lost[n - 1] = 0.0;
    const at::Tensor reference = spectrum_of(wrap_leaf(x));
    EXPECT_FALSE(holds(reference, spectrum_of(lost))) << n;
    EXPECT_FALSE(holds(reference, spectrum_of(x.to(at::kBFloat16).to(at::kFloat)))) << n;
  }
}

TEST_F(Complex, BackAndForthHolds) {
  const at::Tensor x = at::randn({3, 10});
  const auto there_and_back = [](const at::Tensor& t) { return at::_fft_c2r(at::_fft_r2c(t, {0, 1}, 0, true), {0, 1}, 2, 10); };
  EXPECT_TRUE(holds(there_and_back(wrap_leaf(x)), there_and_back(x)));
  EXPECT_TRUE(holds(there_and_back(wrap_leaf(x)), x));
}

TEST_F(Complex, PolarAndAngleHold) {
  const at::Tensor radius = at::rand({50}).add(0.1), angle = at::randn({50});
  const auto parts = [](const at::Tensor& r, const at::Tensor& a) { return at::view_as_real(at::polar(r, a)); };
  EXPECT_TRUE(holds(parts(wrap_leaf(radius), wrap_leaf(angle)), parts(radius, angle)));
  EXPECT_FALSE(holds(parts(wrap_leaf(radius), wrap_leaf(angle)), parts(radius, angle * 1.00001)));
  const at::Tensor z = at::randn({50, 2});
  const auto argument = [](const at::Tensor& t) { return at::angle(at::view_as_complex(t)); };
  EXPECT_TRUE(holds(argument(wrap_leaf(z)), argument(z)));
}

}  // namespace
}  // namespace neuroncheck::oracles
