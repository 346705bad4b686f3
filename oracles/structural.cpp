#include "oracles/structural.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "harness/tensor_spec.h"

namespace neuroncheck::oracles {
namespace {

using Finding = std::optional<Deviation>;

// In dimensions larger than one: elsewhere they mean nothing.
bool same_strides(const HostTensor& one, const HostTensor& other) {
  for (std::size_t dim = 0; dim < one.sizes.size(); ++dim) {
    if (one.sizes[dim] > 1 && one.strides[dim] != other.strides.at(dim)) return false;
  }
  return true;
}

bool strides_differ(const HostTensor& plain, const HostTensor& seen) { return is_dense(plain.sizes, plain.strides) && !same_strides(plain, seen); }

Finding compare_kind(const HostTensor& plain, const HostTensor& seen) {
  if (seen.dtype != plain.dtype) return Deviation{"dtype", fmt::format("{}, expected {}", name_of(seen.dtype), name_of(plain.dtype))};
  if (seen.sizes != plain.sizes) {
    return Deviation{"shape", fmt::format("[{}], expected [{}]", fmt::join(seen.sizes, ", "), fmt::join(plain.sizes, ", "))};
  }
  return std::nullopt;
}

Finding compare_device(const HostTensor& plain, const HostTensor& seen, const std::string& device) {
  if (seen.device == device || plain.device == kNumber) return std::nullopt;
  return Deviation{"device", fmt::format("on {}, expected {}", seen.device, device)};
}

std::string alias_text(const HostTensor& tensor) {
  if (tensor.alias_of_input < 0) return "new storage";
  return fmt::format("{} input {}", tensor.is_input ? "is" : "shares storage with", tensor.alias_of_input);
}

Finding compare_binding(const HostTensor& plain, const HostTensor& seen, Strides strides) {
  if (seen.alias_of_input != plain.alias_of_input || seen.is_input != plain.is_input) {
    return Deviation{"alias", fmt::format("{}, expected: {}", alias_text(seen), alias_text(plain))};
  }
  if (seen.requires_grad != plain.requires_grad) {
    return Deviation{"alias", fmt::format("requires_grad is {}, expected {}", seen.requires_grad, plain.requires_grad)};
  }
  if (strides == Strides::compared && strides_differ(plain, seen)) {
    return Deviation{"stride", fmt::format("({}), expected ({})", fmt::join(seen.strides, ", "), fmt::join(plain.strides, ", "))};
  }
  return std::nullopt;
}

enum class What { outputs, gradients };

struct Comparison {
  What what;
  const std::string& device;  // where tensors are to lie
  Strides strides = Strides::compared;
};

Finding compare_tensor(const HostTensor& plain, const HostTensor& seen, const Comparison& by) {
  Finding found = compare_kind(plain, seen);
  if (!found) found = compare_device(plain, seen, by.device);
  if (!found && by.what == What::outputs) found = compare_binding(plain, seen, by.strides);
  return found;
}

Finding at(Finding found, std::string_view what, std::size_t step, std::size_t i) {
  if (found) found->detail = fmt::format("{} {} of step {}: {}", what, i, step, found->detail);
  return found;
}

void require_same_steps(const Returned& plain, const Returned& seen) {
  if (plain.steps.size() != seen.steps.size()) throw std::logic_error("the target ran another number of steps than the plain run");
}

Finding compare_step(const Returned& plain, const Returned& seen, std::size_t step, const Comparison& by) {
  const std::vector<HostTensor>& expected = plain.steps[step].outputs;
  const std::vector<HostTensor>& got = seen.steps[step].outputs;
  const std::string_view noun = by.what == What::outputs ? "output" : "gradient";
  if (expected.size() != got.size()) {
    return Deviation{"shape", fmt::format("{} {}s in step {}, expected {}", got.size(), noun, step, expected.size())};
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (Finding found = at(compare_tensor(expected[i], got[i], by), noun, step, i)) return found;
  }
  return std::nullopt;
}

Finding compare_all(const Returned& plain, const Returned& seen, const Comparison& by) {
  require_same_steps(plain, seen);
  for (std::size_t step = 0; step < plain.steps.size(); ++step) {
    if (Finding found = compare_step(plain, seen, step, by)) return found;
  }
  return std::nullopt;
}

Finding compare_input(const HostTensor& plain, const HostTensor& seen, bool is_mutated) {
  Finding found = compare_kind(plain, seen);
  if (!found && seen.guard_broken && !plain.guard_broken) return Deviation{"mutation", "memory behind or between its elements was written"};
  if (found || is_mutated || plain.bytes == seen.bytes) return found;
  for (std::size_t i = 0; i < element_count(plain); ++i) {
    if (bits_at(plain, i) == bits_at(seen, i)) continue;
    return Deviation{"mutation", fmt::format("element {} became 0x{:x}, was 0x{:x}", i, bits_at(seen, i), bits_at(plain, i))};
  }
  throw std::logic_error("inputs of one shape with different numbers of bytes");
}

}  // namespace

std::optional<Deviation> compare_outputs(const Returned& plain, const Returned& seen, const std::string& device, Strides strides) {
  return compare_all(plain, seen, {What::outputs, device, strides});
}

bool differ_in_strides_as(const Returned& own, const Returned& plain, const Returned& seen) {
  for (std::size_t step = 0; step < plain.steps.size(); ++step) {
    for (std::size_t i = 0; i < plain.steps[step].outputs.size(); ++i) {
      const HostTensor& wanted = plain.steps[step].outputs[i];
      const HostTensor& got = seen.steps.at(step).outputs.at(i);
      if (!strides_differ(wanted, got)) continue;
      if (step >= own.steps.size() || i >= own.steps[step].outputs.size()) return false;
      const HostTensor& witness = own.steps[step].outputs[i];
      if (witness.sizes != got.sizes || !same_strides(witness, got)) return false;
    }
  }
  return true;
}

std::optional<Deviation> compare_gradients(const Returned& plain, const Returned& seen, const std::string& device) {
  return compare_all(plain, seen, {What::gradients, device});
}

std::optional<Deviation> compare_inputs_after(const Returned& plain, const Returned& seen, const std::vector<std::vector<int>>& mutated) {
  require_same_steps(plain, seen);
  for (std::size_t step = 0; step < plain.steps.size(); ++step) {
    const std::vector<HostTensor>& before = plain.steps[step].inputs_after;
    const std::vector<HostTensor>& after = seen.steps[step].inputs_after;
    if (before.size() != after.size()) throw std::logic_error("the target reported another number of inputs than the plain run");
    const std::vector<int>& own = mutated.at(step);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const bool is_mutated = std::find(own.begin(), own.end(), static_cast<int>(i)) != own.end();
      if (Finding found = at(compare_input(before[i], after[i], is_mutated), "input", step, i)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace neuroncheck::oracles
