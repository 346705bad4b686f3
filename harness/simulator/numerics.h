// How the device rounds. 16-bit dtypes are computed in float32 and rounded once, to nearest even; float64 and int64 keep their dtype while their
// values are narrowed to 32 bits before and after (int64 by wrapping; not with NEURON_SIM_NATIVE_INT64). Data movement is exact.
#pragma once

#include "harness/simulator/host_call.h"

namespace neuroncheck::simulator {

enum class Rounding { nearest_even, toward_zero };

Values compute_with_numerics(const c10::OperatorHandle& op, Values arguments, Rounding rounding);

// `tensor` in `dtype`; a 16-bit dtype takes float32 values.
at::Tensor round_to(const at::Tensor& tensor, at::ScalarType dtype, Rounding rounding);

// The tensor itself when all its values survive 32 bits, else a narrowed copy.
at::Tensor narrowed(const at::Tensor& tensor);

bool is_16_bit(at::ScalarType dtype);

}  // namespace neuroncheck::simulator
