// Losses by rows: what float32 makes of them in some order stays inside the bound, and an error of a dropped term does not.
#include "oracles/loss_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "oracles/test_rows.h"

namespace neuroncheck::oracles {
namespace {

std::vector<Pair> draw_row(int classes) {
  std::vector<Pair> row;
  for (int i = 0; i < classes; ++i) row.push_back({static_cast<float>(*rc::gen::inRange(-4000, 4001) / 1024.0 * 1.1), 0.0});
  return row;
}

float hinge(const std::vector<Pair>& row, std::size_t target, std::size_t i, bool squared) {
  const float z = 1.0F - static_cast<float>(row[target].value) + static_cast<float>(row[i].value);
  return z <= 0.0F ? 0.0F : squared ? z * z : z;
}

RC_GTEST_PROP(MarginRow, HoldsWhatFloatComputes, ()) {
  const std::vector<Pair> row = draw_row(*rc::gen::inRange(2, 40));
  const bool squared = *rc::gen::arbitrary<bool>(), backwards = *rc::gen::arbitrary<bool>();
  float total = 0.0F, without_largest = 0.0F, largest = 0.0F;
  for (std::size_t k = 1; k < row.size(); ++k) {
    const float term = hinge(row, 0, backwards ? row.size() - k : k, squared);
    total += term;
    largest = std::max(largest, term);
  }
  without_largest = total - largest;
  const Pair reference = margin_row({row, {0}}, {1.0, 0.0}, {1.0, squared}, float_step());
  const auto count = static_cast<float>(row.size());
  RC_ASSERT(holds(reference, static_cast<double>(total / count)));
  RC_ASSERT(holds(reference, static_cast<double>(total * (1.0F / count))));
  if (largest > 0.01F) RC_ASSERT(!holds(reference, static_cast<double>(without_largest / count)));
}

RC_GTEST_PROP(MarginBackwardRow, HoldsWhatFloatComputes, ()) {
  const std::vector<Pair> row = draw_row(*rc::gen::inRange(2, 40));
  const std::vector<Pair> reference = margin_backward_row({row, {0}}, {0.7F, 0.0}, {1.0, true}, float_step());
  float at_target = 0.0F;
  for (std::size_t i = 1; i < row.size(); ++i) {
    const float z = 1.0F - static_cast<float>(row[0].value) + static_cast<float>(row[i].value);
    const float gradient = z <= 0.0F ? 0.0F : 2.0F * z * 0.7F / static_cast<float>(row.size());
    at_target -= gradient;
    RC_ASSERT(holds(reference[i], static_cast<double>(gradient)));
    if (z > 0.01F) RC_ASSERT(!holds(reference[i], static_cast<double>(gradient) * (1.0 + 1e-3)));
  }
  RC_ASSERT(holds(reference[0], static_cast<double>(at_target)));
}

RC_GTEST_PROP(MeanOf, HoldsDivisionOfTheSumAndOfItsTerms, ()) {
  const std::vector<Pair> row = draw_row(*rc::gen::inRange(1, 60));
  float sum = 0.0F, of_terms = 0.0F;
  const auto count = static_cast<float>(row.size());
  for (const Pair& term : row) {
    sum += static_cast<float>(term.value);
    of_terms += static_cast<float>(term.value) * (1.0F / count);
  }
  const Pair reference = mean_of(row, float_step());
  RC_ASSERT(holds(reference, static_cast<double>(sum / count)));
  RC_ASSERT(holds(reference, static_cast<double>(of_terms)));
  RC_ASSERT(!holds(reference, static_cast<double>(sum / count) + 1e-3));
}

TEST(MarginRow, KnowsNothingOfNan) {
  const std::vector<Pair> row = {{0.0, 0.0}, {NAN, 0.0}};
  EXPECT_TRUE(std::isinf(margin_row({row, {0}}, {1.0, 0.0}, {}, float_step()).bound));
}

}  // namespace
}  // namespace neuroncheck::oracles
