// Which programs share a compiled graph, and how the culprit is found when a graph fails. Pure.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "harness/observation.h"
#include "harness/program.h"

namespace neuroncheck {

// Programs share a graph only when all of this is equal: one input that requires gradients makes the whole graph a training graph, and every call
// to a library kernel splits the generated code of its neighbours.
struct Traits {
  bool alone = false;  // expected to fail, so that it would cost its neighbours a bisection
  bool gradient = false;
  bool mutates = false;
  bool aliases = false;
  bool random = false;
  bool library_kernels = false;
  std::vector<std::size_t> repeats = {0};  // of each step of the trajectory: the first one with the same shapes

  auto operator<=>(const Traits&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes the zero compared with for a pointer
};

// One program of a graph and the cases that run through it: the same compile key, other values.
struct Member {
  std::vector<std::size_t> cases;  // indices
};

using Members = std::vector<Member>;

// Batches of at most `most` members. Every case is in exactly one batch; order is that of first appearance.
std::vector<Members> plan_batches(std::span<const Case> cases, const std::function<Traits(const Case&)>& traits, int most);

// Calls attempt on all members; when that says false and there are several, on each half, and so on. A single member's answer is final.
void bisect(std::span<const Member> members, const std::function<bool(std::span<const Member>)>& attempt);

// Of each step of its trajectory: the first one with the same shapes. A, B, A: 0, 1, 0.
std::vector<std::size_t> repeats_of(const Case& test_case);
// How many compilations the shapes of its trajectory justify: one for a dynamic graph, else one for each different shape.
int justified_compilations(const Case& test_case, Path path);

}  // namespace neuroncheck
