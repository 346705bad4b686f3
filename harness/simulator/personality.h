// What the vendor's device answers to special values, where that differs from the CPU: relu(NaN) = 0, clamp(NaN) = a bound, sign(NaN) = NaN,
// ceil and trunc of +-inf and NaN through int32, rsqrt(0) = NaN, remainder by floor division, index_select out of range = NaN rows; and its
// errors for reductions without an identity over nothing.
#pragma once

#include "harness/simulator/host_call.h"

namespace neuroncheck::simulator {

Values compute_with_personality(const c10::OperatorHandle& op, Values arguments);

}  // namespace neuroncheck::simulator
