// What tests of the reference begin with: a profile, a context, leaves of known and unknown value.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "oracles/active_context.h"
#include "oracles/bounded_tensor.h"
#include "oracles/profile.h"
#include "oracles/reference.h"

namespace neuroncheck::oracles {

inline Profile float_profile() {
  Profile profile;
  profile.name = "test";
  profile.function_ulp = {{"exp", 3.0}, {"log", 3.0}, {"rsqrt", 2.0}};
  return profile;
}

class ReferenceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const bool once = (register_reference_backend(), true);
    ASSERT_TRUE(once);
  }

  Profile profile_ = float_profile();
  Context context_{profile_};
  ContextScope scope_{context_};
};

inline at::Tensor leaf(const at::Tensor& plain) { return wrap_leaf(plain); }

// A tensor whose device value is only known up to `bound`.
inline at::Tensor uncertain(const at::Tensor& plain, double bound) {
  return wrap({plain.to(at::kDouble), at::full(plain.sizes(), bound, at::kDouble), plain.scalar_type(), false, true, nullptr});
}

inline bool is_exact(const at::Tensor& tensor) { return !unwrap(tensor).bound.defined() || unwrap(tensor).bound.eq(0).all().item<bool>(); }

inline double largest_bound(const at::Tensor& tensor) { return is_exact(tensor) ? 0.0 : unwrap(tensor).bound.max().item<double>(); }

inline double context_unit(at::ScalarType shown) { return current_context().precision(shown).computed->unit_roundoff(); }

// What a device made lies within the bound and one rounding of its dtype.
inline bool holds(const at::Tensor& reference, const at::Tensor& device) {
  const PairTensor pair = unwrap(reference);
  const at::Tensor bound = pair.bound.defined() ? pair.bound : at::zeros_like(pair.value);
  const double unit = context_unit(pair.shown);
  return (device.to(at::kDouble) - pair.value).abs().le(bound + (pair.value.abs() + bound) * unit + 1e-44).all().item<bool>();
}

}  // namespace neuroncheck::oracles
