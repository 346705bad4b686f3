// Metadata of outputs, and inputs that must be left alone. What a plain CPU run of the same case did decides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/observation.h"

namespace neuroncheck::oracles {

struct Deviation {
  std::string reason;  // dtype, shape, device, alias, stride, mutation: a word of Verdict::reason
  std::string detail;
};

// Outputs of forward paths: number, dtype, sizes, device, alias, identity with an input, requires_grad, strides. Strides are compared only where the
// plain output is dense and without overlap, and only in dimensions larger than one: elsewhere torch promises nothing.
enum class Strides : std::uint8_t { compared, ignored };
std::optional<Deviation> compare_outputs(const Returned& plain, const Returned& seen, const std::string& device, Strides strides = Strides::compared);

// Whether every output whose strides are not the plain run's has exactly those that `own` gives. `plain` and `seen` agree in all else.
bool differ_in_strides_as(const Returned& own, const Returned& plain, const Returned& seen);

// Gradients: number, dtype, sizes, device. Their layout and aliasing is nobody's promise.
std::optional<Deviation> compare_gradients(const Returned& plain, const Returned& seen, const std::string& device);

// Program inputs after the call: one that the plain run did not mutate must hold the same bits as there. `mutated` per step: those the program
// mutates; their values are judged by the reference, only dtype and sizes here.
std::optional<Deviation> compare_inputs_after(const Returned& plain, const Returned& seen, const std::vector<std::vector<int>>& mutated);

}  // namespace neuroncheck::oracles
