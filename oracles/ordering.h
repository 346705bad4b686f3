// Outputs that are indices (argmax, max.dim, topk, sort, max_pool): judged by what they select, not by their numbers (oracles.md section 3.6).
// An index must lie in range, select the value that the reference selected (NaN equals NaN, +0 equals -0), be taken once where several are taken
// along the dimension, and keep the promised tie rule. Where NaN sorts is settled by the values: a wrong place selects a wrong value.
// A position with a bound above zero in the index output itself is ambiguous: it must only lie in range and be taken once.
#pragma once

#include "harness/bounded.h"
#include "harness/host_tensor.h"
#include "oracles/acceptance.h"

namespace neuroncheck::oracles {

// Reasons: `index` (out of range, taken twice, selects another value) and `order` (tie rule). `expected.selection` must be set.
Acceptance accept_order(const Bounded& expected, const HostTensor& got);

}  // namespace neuroncheck::oracles
