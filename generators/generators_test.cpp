#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "generators/draft_builder.h"
#include "generators/elementwise.h"

namespace neuroncheck::generators {
namespace {

Draft drafted(const Recipe& recipe, const DrawRequest& request, std::uint64_t seed) {
  DraftBuilder build("aten::test", request, Gradients::on_some_slots, rc::Random(seed));
  recipe(build);
  return build.take();
}

std::int64_t elements(const Sizes& sizes) { return element_count(sizes); }

// The result of broadcasting two shapes, as torch defines it.
Sizes broadcast(const Sizes& left, const Sizes& right) {
  Sizes result(std::max(left.size(), right.size()), 1);
  for (const Sizes* sizes : {&left, &right}) {
    const std::size_t missing = result.size() - sizes->size();
    for (std::size_t i = 0; i < sizes->size(); ++i) {
      result[missing + i] = (*sizes)[i] == 1 ? result[missing + i] : (*sizes)[i];
    }
  }
  return result;
}

RC_GTEST_PROP(Shapes, KeepToTheBudget, (std::uint64_t seed)) {
  Picker pick{rc::Random(seed)};
  RC_ASSERT(elements(draw_sizes(pick, Edge::none, {.budget = 4096})) <= 4096);
}

RC_GTEST_PROP(Shapes, HaveAnEmptyDimensionAtTheEmptyEdge, (std::uint64_t seed)) {
  Picker pick{rc::Random(seed)};
  RC_ASSERT(elements(draw_sizes(pick, Edge::empty, {})) == 0);
}

RC_GTEST_PROP(Shapes, PairsBroadcastToTheResult, (std::uint64_t seed)) {
  Picker pick{rc::Random(seed)};
  const Sizes result = draw_sizes(pick, Edge::none, {});
  const auto [left, right] = broadcast_pair(pick, result);
  const Sizes together = broadcast(left, right);
  // Leading ones may be left off in both.
  RC_ASSERT(elements(together) <= elements(result));
  RC_ASSERT(broadcast(together, result) == result);
}

RC_GTEST_PROP(Shapes, WrittenTensorsAreNeverExpanded, (std::uint64_t seed)) {
  Picker pick{rc::Random(seed)};
  RC_ASSERT(draw_layout(pick, {4, 3, 2, 5}, Use::written) != LayoutKind::expanded);
}

TEST(Shapes, ReachEveryBoundary) {
  Picker pick{rc::Random(1)};
  std::set<std::int64_t> seen;
  for (int i = 0; i < 2000; ++i) {
    seen.insert(boundary_size(pick, 4096));
  }
  for (const std::int64_t wanted : {1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513}) {
    EXPECT_TRUE(seen.contains(wanted)) << wanted;
  }
}

TEST(Shapes, DrawEveryLayout) {
  Picker pick{rc::Random(1)};
  std::set<LayoutKind> seen;
  for (int i = 0; i < 500; ++i) {
    seen.insert(draw_layout(pick, {4, 3, 2, 5}, Use::read));
  }
  EXPECT_EQ(seen.size(), 6U);
}

TEST(WithValues, IsPure) {
  const Draft draft = drafted(binary(numbers, numbers), {.slot = 3}, 5);
  EXPECT_EQ(with_values(draft, 9), with_values(draft, 9));
}

TEST(WithValues, LeavesTheCompileKeyAlone) {
  const Draft draft = drafted(binary(numbers, numbers), {.slot = 3}, 5);
  EXPECT_EQ(compile_key(with_values(draft, 9)), compile_key(with_values(draft, 10)));
}

TEST(WithValues, SeesEveryFill) {
  const Draft draft = drafted(unary(numbers), {.slot = 3}, 5);
  std::set<FillKind> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    seen.insert(with_values(draft, seed).program.inputs[0].fill.kind);
  }
  EXPECT_EQ(seen.size(), 7U);
}

TEST(DraftBuilder, TakesGradientsOnSomeSlotsOnly) {
  EXPECT_EQ(drafted(unary(numbers), {.slot = 2}, 5).test_case.backward.size(), 1U);
  EXPECT_TRUE(drafted(unary(numbers), {.slot = 2}, 5).test_case.program.inputs[0].requires_grad);
  EXPECT_TRUE(drafted(unary(numbers), {.slot = 3}, 5).test_case.backward.empty());
  EXPECT_TRUE(drafted(unary(numbers), {.dtype = Dtype::int64, .slot = 2}, 5).test_case.backward.empty());
}

TEST(DraftBuilder, DrawsNoSpecialValuesWhereGradientsAreTaken) {
  const Draft draft = drafted(unary(numbers), {.slot = 2}, 5);
  for (const Fill& fill : draft.fills[0]) {
    EXPECT_NE(fill.kind, FillKind::special);
  }
}

TEST(Fills, ExactTermsSumWithinTheAccumulator) {
  for (const std::int64_t count : {1, 8, 513, 16384}) {
    for (const Fill& fill : terms(Dtype::float32, count)) {
      if (fill.kind == FillKind::exact_integer && fill.parameter != 2) {
        EXPECT_LE(count << fill.parameter, std::int64_t{1} << 24) << count;
      }
    }
  }
}

TEST(Fills, IntegerDivisorsAreNeitherZeroNorMinusOne) {
  for (const Fill& fill : divisors(Dtype::int32)) {
    EXPECT_GE(fill.low, 1.0);
    EXPECT_TRUE(fill.kind == FillKind::uniform || fill.kind == FillKind::constant);
  }
}

}  // namespace
}  // namespace neuroncheck::generators
