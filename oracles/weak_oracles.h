// What the oracles in common use would have seen: beside each finding, as a measure of severity. They never decide a verdict.
#pragma once

#include "harness/observation.h"

namespace neuroncheck::oracles {

struct WeakSight {
  bool by_default = false;  // torch.testing.assert_close with its default rtol and atol of the dtype (NaN equal to NaN)
  bool by_vendor = false;   // the vendor's op suite: 1e-2/1e-5 for float32 and float64, 2e-2/2e-2 for bfloat16, 1e-3/1e-3 for float16
};

// Compares outputs with those of the plain CPU run of the same dtype, as those suites do. dtype, shape and integer values: exact in both.
WeakSight weak_sight(const Returned& plain, const Returned& seen);

}  // namespace neuroncheck::oracles
