#include "harness/placement.h"

#include <gtest/gtest.h>

namespace neuroncheck {
namespace {

TEST(Placement, IsNativeWhenTheDeviceWasSeenAtWorkAndTheHostWasNot) {
  EXPECT_EQ(conclude_eager({{{}, 1, 1}, TrackerReading{{"aten::add.out"}, {}}, {}}).placement, Placement::native);
  EXPECT_EQ(conclude_eager({{{}, 0, 1}, std::nullopt, {}}).placement, Placement::native);
  EXPECT_EQ(conclude_eager({{}, TrackerReading{{"aten::add.out"}, {}}, {}}).placement, Placement::native);
}

TEST(Placement, IsUnprovenWhenNothingWasSeenAnywhere) {
  EXPECT_EQ(conclude_eager({{}, TrackerReading{}, {}}).placement, Placement::unproven);
  EXPECT_EQ(conclude_eager({{}, std::nullopt, {}}).placement, Placement::unproven);
}

TEST(Placement, IsFallbackWhenTheDispatcherSawOne) {
  const PlacementEvidence evidence = conclude_eager({{{{"aten::svd", 2, 64}}, 1, 1}, TrackerReading{{}, {"aten::svd"}}, {}});
  EXPECT_EQ(evidence.placement, Placement::fallback);
  EXPECT_TRUE(evidence.disagreements.empty());
}

TEST(Placement, SaysWhenTheTrackerHidesAFallback) {
  EXPECT_EQ(conclude_eager({{{{"aten::svd", 2, 64}}, 1, 1}, TrackerReading{{"aten::svd"}, {}}, {}}).disagreements.size(), 1u);
}

TEST(Placement, IsUnprovenWhenTheRegistrationDisagrees) {
  const PlacementEvidence evidence = conclude_eager({{{}, 1, 1}, std::nullopt, {"aten::svd"}});
  EXPECT_EQ(evidence.placement, Placement::unproven);
  EXPECT_EQ(evidence.disagreements.size(), 1u);
}

TEST(Placement, BelievesATrackerThatReportsAFallback) {
  const PlacementEvidence evidence = conclude_eager({{{}, 1, 1}, TrackerReading{{}, {"aten::svd"}}, {}});
  EXPECT_EQ(evidence.placement, Placement::fallback);
  EXPECT_EQ(evidence.disagreements.size(), 1u);
}

TEST(Placement, OfACompiledCallNeedsGraphTrackerAndSilence) {
  const TrackerReading tracked{{"torch_compile"}, {}};
  CompileCounters whole;
  whole.graphs = whole.compilations = 1;
  EXPECT_EQ(conclude_compiled({{}, tracked, {}}, whole).placement, Placement::native);
  EXPECT_EQ(conclude_compiled({{}, std::nullopt, {}}, whole).placement, Placement::unproven);
  CompileCounters one_by_one = whole;
  one_by_one.per_op_dispatches = 1;
  EXPECT_EQ(conclude_compiled({{}, tracked, {}}, one_by_one).placement, Placement::unproven);
}

}  // namespace
}  // namespace neuroncheck
