#include "oracles/structural.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace neuroncheck::oracles {
namespace {

using Finding = std::optional<Deviation>;

// Every element of a dense tensor lies alone in a storage without holes.
bool is_dense(const HostTensor& tensor) {
  std::vector<std::pair<std::int64_t, std::int64_t>> dims;  // stride, size
  for (std::size_t dim = 0; dim < tensor.sizes.size(); ++dim) {
    if (tensor.sizes[dim] == 0) return false;
    if (tensor.sizes[dim] > 1) dims.emplace_back(tensor.strides.at(dim), tensor.sizes[dim]);
  }
  std::sort(dims.begin(), dims.end());
  std::int64_t next = 1;
  for (const auto& [stride, size] : dims) {
    if (stride != next) return false;
    next *= size;
  }
  return true;
}

bool strides_differ(const HostTensor& plain, const HostTensor& seen) {
  if (!is_dense(plain)) return false;
  for (std::size_t dim = 0; dim < plain.sizes.size(); ++dim) {
    if (plain.sizes[dim] > 1 && plain.strides[dim] != seen.strides.at(dim)) return true;
  }
  return false;
}

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

Finding compare_binding(const HostTensor& plain, const HostTensor& seen) {
  if (seen.alias_of_input != plain.alias_of_input || seen.is_input != plain.is_input) {
    return Deviation{"alias", fmt::format("{}, expected: {}", alias_text(seen), alias_text(plain))};
  }
  if (seen.requires_grad != plain.requires_grad) {
    return Deviation{"alias", fmt::format("requires_grad is {}, expected {}", seen.requires_grad, plain.requires_grad)};
  }
  if (strides_differ(plain, seen)) {
    return Deviation{"stride", fmt::format("({}), expected ({})", fmt::join(seen.strides, ", "), fmt::join(plain.strides, ", "))};
  }
  return std::nullopt;
}

enum class What { outputs, gradients };

struct Comparison {
  What what;
  const std::string& device;  // where tensors are to lie
};

Finding compare_tensor(const HostTensor& plain, const HostTensor& seen, const Comparison& by) {
  Finding found = compare_kind(plain, seen);
  if (!found) found = compare_device(plain, seen, by.device);
  if (!found && by.what == What::outputs) found = compare_binding(plain, seen);
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

std::optional<Deviation> compare_outputs(const Returned& plain, const Returned& seen, const std::string& device) {
  return compare_all(plain, seen, {What::outputs, device});
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
