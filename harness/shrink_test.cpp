#include "harness/shrink.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <utility>

#include "harness/arbitrary.h"
#include "harness/hazards.h"
#include "harness/random.h"
#include "harness/shrink_measure.h"
#include "harness/shrink_tensor.h"

namespace neuroncheck {
namespace {

TEST(Shrink, OnlyGoesDownAndStaysWellFormed) {
  EXPECT_TRUE(rc::check([] {
    const Case parent = arbitrary::test_case();
    const std::vector<Case> children = shrinks(parent);
    RC_ASSERT(children.size() <= 200U);
    for (const Case& child : children) {
      RC_ASSERT(measure_of(child) < measure_of(parent));
      require_well_formed(child);
    }
    RC_ASSERT(shrinks(parent) == children);
  }));
}

TEST(Shrink, EndsWhereverOneGoes) {
  EXPECT_TRUE(rc::check([] {
    Case test_case = arbitrary::test_case();
    for (int steps = 0;; ++steps) {
      RC_ASSERT(steps < 5000);
      std::vector<Case> children = shrinks(test_case);
      if (children.empty()) return;
      test_case = std::move(children[mix(static_cast<std::uint64_t>(steps), compile_key(test_case)) % children.size()]);
    }
  }));
}

// The smallest case for which `fails` still holds: always the first child that fails.
template <class Fails>
Case smallest(Case test_case, Fails fails) {
  for (;;) {
    const std::vector<Case> children = shrinks(test_case);
    const auto next = std::find_if(children.begin(), children.end(), fails);
    if (next == children.end()) return test_case;
    test_case = *next;
  }
}

TEST(Shrink, KeepsTheInnerSizesOfAProductEqual) {
  TensorSpec left, right;
  left.sizes = {{.size = 33}, {.size = 129}};
  right.sizes = {{.size = 129}, {.size = 17}};
  Case product;
  product.program.inputs = {left, right};
  product.program.nodes = {{"aten::mm", {{ValueRef{-1, 0}}, {ValueRef{-1, 1}}}}};
  product.program.outputs = {{0, 0}};
  const Case result = smallest(product, [](const Case& c) {
    if (c.program.inputs.size() != 2 || c.program.inputs[0].sizes.size() != 2 || c.program.inputs[1].sizes.size() != 2) return false;
    const auto& a = c.program.inputs[0].sizes;
    const auto& b = c.program.inputs[1].sizes;
    return a[1] == b[0] && a[1].size >= 5 && a[0].size >= 1 && b[1].size >= 1;
  });
  EXPECT_EQ(result.program.inputs[0].sizes, (std::vector<Dim>{{.size = 1}, {.size = 5}}));
  EXPECT_EQ(result.program.inputs[1].sizes, (std::vector<Dim>{{.size = 5}, {.size = 1}}));
}

TEST(Shrink, CutsTheOneElementOutOfItsTensor) {
  TensorSpec spec;
  spec.sizes = {{.size = 15}, {.size = 31}};
  spec.fill.seed = 5;
  spec.layout = LayoutKind::transposed;
  const std::uint64_t wanted = as_literal(spec).fill.bits[15 * 31 - 9];
  Case test_case;
  test_case.program.inputs = {spec};
  test_case.program.nodes = {{"aten::neg", {{ValueRef{-1, 0}}}}};
  test_case.program.outputs = {{0, 0}};
  const Case result = smallest(test_case, [&](const Case& c) {
    const std::vector<std::uint64_t> bits = as_literal(c.program.inputs[0]).fill.bits;
    return std::find(bits.begin(), bits.end(), wanted) != bits.end();
  });
  EXPECT_EQ(result.program.inputs[0].fill.bits, std::vector<std::uint64_t>{wanted});
  EXPECT_TRUE(result.program.inputs[0].sizes.empty());
  EXPECT_EQ(result.program.inputs[0].layout, LayoutKind::contiguous);
}

// Wherever the value stands: a search has 400 probes, and a sweep 65,536 elements.
TEST(Shrink, CutsTheOneValueOutOfASweepInFewProbes) {
  EXPECT_TRUE(rc::check([] {
    Case test_case;
    TensorSpec spec;
    spec.dtype = Dtype::bfloat16;
    spec.sizes = {{.size = 1 << 16}};
    spec.fill.kind = FillKind::every_pattern;
    test_case.program.inputs = {spec};
    test_case.program.nodes = {{"aten::neg", {{ValueRef{-1, 0}}}}};
    test_case.program.outputs = {{0, 0}};
    const std::uint64_t wanted = *rc::gen::inRange<std::uint64_t>(0, 1 << 16);
    int probes = 0;
    const Case result = smallest(test_case, [&](const Case& c) {
      ++probes;
      const std::vector<std::uint64_t> bits = as_literal(c.program.inputs[0]).fill.bits;
      return std::find(bits.begin(), bits.end(), wanted) != bits.end();
    });
    RC_ASSERT(as_literal(result.program.inputs[0]).fill.bits == std::vector<std::uint64_t>{wanted});
    RC_ASSERT(probes <= 300);
  }));
}

// With dilation 2 and padding 1 a window passes over an input of one element: torch's gradient would write outside of it.
TEST(Shrink, KeepsPoolingWindowsInTheirInput) {
  Case pool;
  TensorSpec plane;
  plane.sizes = {{.size = 1}, {.size = 3}, {.size = 3}};
  pool.program.inputs = {plane};
  const auto list = [](std::int64_t number) { return Argument{ArgumentList{{number}}}; };
  pool.program.nodes = {{"aten::max_pool2d_with_indices", {{ValueRef{-1, 0}}, list(2), list(1), list(1), list(2), {false}}}};
  pool.program.outputs = {{0, 0}};
  int seen = 0;
  for (const Case& child : shrinks(pool)) {
    const auto& sizes = child.program.inputs.at(0).sizes;
    if (child.program.nodes != pool.program.nodes || sizes.size() != 3) continue;
    EXPECT_GE(std::min(sizes[1].size, sizes[2].size), 2);
    ++seen;
  }
  EXPECT_GT(seen, 0);
}

// The CPU's kernel takes labels as they are.
TEST(Shrink, KeepsLabelsAmongTheirClasses) {
  Case loss;
  TensorSpec log_probs, targets;
  log_probs.sizes = {{.size = 5}, {.size = 2}, {.size = 6}};
  targets.dtype = Dtype::int64;
  targets.sizes = {{.size = 2}, {.size = 2}};
  targets.fill = {.kind = FillKind::uniform, .low = 1, .high = 6, .seed = 3, .bits = {}};
  loss.program.inputs = {log_probs, targets};
  const auto list = [](std::int64_t number) { return Argument{ArgumentList{{number}, {number}}}; };
  loss.program.nodes = {{"aten::_ctc_loss", {{ValueRef{-1, 0}}, {ValueRef{-1, 1}}, list(5), list(2), {std::int64_t{0}}, {false}}}};
  loss.program.outputs = {{0, 0}};
  ASSERT_TRUE(is_harmless(loss));
  int seen = 0;
  for (const Case& child : shrinks(loss)) {
    ASSERT_EQ(child.program.nodes.front().op, "aten::_ctc_loss");
    const std::int64_t classes = child.program.inputs.at(0).sizes.back().size;
    for (const std::uint64_t label : as_literal(child.program.inputs.at(1)).fill.bits) EXPECT_LT(label, static_cast<std::uint64_t>(classes));
    ++seen;
  }
  EXPECT_GT(seen, 0);
  loss.program.inputs[0].sizes.back().size = 2;
  EXPECT_FALSE(is_harmless(loss));
}

}  // namespace
}  // namespace neuroncheck
