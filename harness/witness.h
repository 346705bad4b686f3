// What torch itself makes of a case where it promises less than the plain run shows: asked when a target's results differ from that.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "harness/session.h"

namespace neuroncheck {

class Witness {
 public:
  // `plain` must outlive it.
  explicit Witness(Session& plain) : plain_(plain) {}

  // Eager: the plain run with inputs as a copy to the CPU lays them out (holes and strides of 0 are gone), which is what libtorch's CPU fallback
  // computes with. Compiled: the graph of torch's own decompositions to Core ATen, op by op on the CPU, whatever a backend makes of it.
  const Observation& of(const Case& test_case, Path path);
  // The same, for the layout of the results alone: other value sets of a compile key are laid out alike and are not run again.
  const Observation& layout_of(const Case& test_case, Path path);

 private:
  Session& plain_;
  std::unique_ptr<Session> decomposed_;  // opened when it is first asked
  Case last_case_;
  std::pair<std::uint64_t, Path> last_key_;
  std::optional<Observation> last_;  // of the two
};

}  // namespace neuroncheck
