#include "oracles/histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "oracles/test_rows.h"

namespace neuroncheck::oracles {
namespace {

Samples samples_of(const std::vector<float>& values) {
  Samples samples;
  for (const float value : values) samples.coordinates.push_back({Pair{value, 0.0}});
  return samples;
}

// Device schedules: the position by a division, by a multiplication with the rounded scale, or comparison with rounded edges.
enum class Schedule { divides, multiplies, compares };

std::vector<int> count_in_float(const std::vector<float>& values, float low, float high, int bins, Schedule schedule) {
  std::vector<int> counts(static_cast<std::size_t>(bins), 0);
  const float scale = static_cast<float>(bins) / (high - low), width = (high - low) / static_cast<float>(bins);
  for (const float x : values) {
    if (x < low || x > high) continue;
    int bin = 0;
    if (schedule == Schedule::divides) bin = static_cast<int>((x - low) / (high - low) * static_cast<float>(bins));
    if (schedule == Schedule::multiplies) bin = static_cast<int>((x - low) * scale);
    while (schedule == Schedule::compares && bin + 1 < bins && x >= low + static_cast<float>(bin + 1) * width) ++bin;
    ++counts[static_cast<std::size_t>(std::min(bin, bins - 1))];
  }
  return counts;
}

RC_GTEST_PROP(Histogram, CoversEverySchedule, ()) {
  std::vector<float> values;
  for (int i = 0; i < 60; ++i) values.push_back(static_cast<float>(*rc::gen::inRange(-40, 41)) * 0.1F);
  const float low = *rc::gen::element(-4.0F, -1.0F, -0.3F, 0.0F), high = *rc::gen::element(0.7F, 2.0F, 4.0F);
  const int bins = *rc::gen::element(1, 3, 8, 10, 33);
  const std::vector<Pair> cells = histogram(samples_of(values), {uniform_axis(low, high, bins, float_step())}, float_step());
  for (const Schedule schedule : {Schedule::divides, Schedule::multiplies, Schedule::compares}) {
    const std::vector<int> counts = count_in_float(values, low, high, bins, schedule);
    for (std::size_t i = 0; i < cells.size(); ++i) RC_ASSERT(std::abs(counts[i] - cells[i].value) <= cells[i].bound);
  }
}

// In float64, where the reference rounds as the device does: what it takes for exact is what a device computes in any order.
RC_GTEST_PROP(Histogram, TakesNoRoundedEdgeForExact, ()) {
  Step step = float_step();
  step.unit = 0x1p-52;  // twice: the reference rounds as well
  step.precision = 53;
  const double low = *rc::gen::inRange(-1000, 1000) * *rc::gen::element(0.25, 0.1, 1.0 / 3.0), high = low + *rc::gen::inRange(1, 1000) * 0.3;
  const int bins = *rc::gen::element(1, 3, 7, 8, 10);
  const Axis axis = uniform_axis(low, high, bins, step);
  for (int i = 1; i < bins; ++i) {
    const Pair& edge = axis.edges[static_cast<std::size_t>(i)];
    const double forward = low + i * ((high - low) / bins), backward = high - (bins - i) * ((high - low) / bins);
    RC_ASSERT(std::abs(forward - edge.value) <= edge.bound);
    RC_ASSERT(std::abs(backward - edge.value) <= edge.bound);
  }
}

TEST(Histogram, IsExactAwayFromRoundedEdges) {
  const std::vector<Pair> cells =
      histogram(samples_of({-4.0F, -3.5F, 0.0F, 0.0F, 3.0F, 4.0F, 4.5F}), {uniform_axis(-4, 4, 8, float_step())}, float_step());
  const std::vector<double> expected{2, 0, 0, 0, 2, 0, 0, 2};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i].value, expected[i]) << i;
    EXPECT_EQ(cells[i].bound, 0.0) << i;
  }
}

TEST(Histogram, DroppedSampleFallsOutside) {
  const std::vector<Pair> cells = histogram(samples_of({0.1F, 0.2F, 0.9F}), {uniform_axis(0, 1, 3, float_step())}, float_step());
  EXPECT_EQ(cells[0].value, 2.0);
  EXPECT_LT(cells[0].bound, 1.0);
}

TEST(Histogram, SampleOnARoundedEdgeMayBeOnEitherSide) {
  const std::vector<Pair> cells = histogram(samples_of({0.1F}), {uniform_axis(0, 1, 10, float_step())}, float_step());
  EXPECT_GE(cells[0].value + cells[0].bound, 1.0);
  EXPECT_GE(cells[1].value + cells[1].bound, 1.0);
  EXPECT_EQ(cells[2].bound, 0.0);
}

TEST(Histogram, CountsRowsInTheCellOfTheirCoordinates) {
  Samples samples;
  samples.coordinates = {{{0.5, 0.0}, {1.5, 0.0}}, {{1.0, 0.0}, {0.0, 0.0}}};
  samples.weights = {{2.0, 0.0}, {3.0, 0.0}};
  const Axis axis = axis_of_edges({{0.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}});
  const std::vector<Pair> cells = histogram(samples, {axis, axis}, float_step());
  EXPECT_EQ(cells[1].value, 2.0);
  EXPECT_EQ(cells[2].value, 3.0);
  EXPECT_EQ(cells[0].value + cells[3].value, 0.0);
}

}  // namespace
}  // namespace neuroncheck::oracles
