#include "oracles/ordering.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "oracles/test_tensors.h"

namespace neuroncheck::oracles {
namespace {

using testing_tensors::integer_tensor;
using testing_tensors::integers;

const double kNan = std::numeric_limits<double>::quiet_NaN();

// Indices into the rows of a 2 x 3 source, as many a row as `selected` has.
Bounded rows(std::vector<long double> source, std::vector<long double> selected, TieRule ties) {
  const auto taken = static_cast<std::int64_t>(selected.size() / 2);
  Bounded expected = integers(std::vector<std::int64_t>(selected.size(), 0), {}, {2, taken});
  expected.selection = Selection{{2, 3}, std::move(source), std::move(selected), 1, ties};
  return expected;
}

Acceptance judged(const Bounded& expected, const std::vector<std::int64_t>& got) {
  return accept_order(expected, integer_tensor(Dtype::int64, got, expected.sizes));
}

TEST(Ordering, AcceptsAnyOfEqualsUnlessPromised) {
  const std::vector<long double> source = {5, 7, 7, 1, 0, 1};
  EXPECT_EQ(judged(rows(source, {7, 1}, TieRule::any), {2, 2}).outside, 0);
  EXPECT_EQ(judged(rows(source, {7, 1}, TieRule::first), {1, 0}).outside, 0);
  const Acceptance found = judged(rows(source, {7, 1}, TieRule::first), {2, 0});
  EXPECT_EQ(found.outside, 1);
  EXPECT_EQ(found.reason, "order");
}

TEST(Ordering, SeesAnIndexThatSelectsAnotherValue) {
  const Acceptance found = judged(rows({5, 7, 6, 1, 0, 2}, {7, 2}, TieRule::any), {1, 0});
  EXPECT_EQ(found.outside, 1);
  EXPECT_EQ(found.reason, "index");
  EXPECT_EQ(found.worst->index, (std::vector<std::int64_t>{1, 0}));
}

TEST(Ordering, SeesIndicesOutOfRange) {
  EXPECT_EQ(judged(rows({5, 7, 6, 1, 0, 2}, {7, 2}, TieRule::any), {1, 3}).reason, "index");
  EXPECT_EQ(judged(rows({5, 7, 6, 1, 0, 2}, {7, 2}, TieRule::any), {-1, 2}).reason, "index");
}

TEST(Ordering, SeesAnIndexTakenTwice) {
  const std::vector<long double> source = {7, 7, 6, 2, 2, 0};
  EXPECT_EQ(judged(rows(source, {7, 7, 2, 2}, TieRule::any), {1, 0, 0, 1}).outside, 0);
  EXPECT_EQ(judged(rows(source, {7, 7, 2, 2}, TieRule::any), {1, 1, 0, 1}).reason, "index");
}

TEST(Ordering, HoldsStableSortsToAscendingTies) {
  const std::vector<long double> source = {7, 7, 6, 2, 2, 0};
  const std::vector<long double> selected = {6, 7, 7, 0, 2, 2};
  EXPECT_EQ(judged(rows(source, selected, TieRule::ascending), {2, 0, 1, 2, 0, 1}).outside, 0);
  EXPECT_EQ(judged(rows(source, selected, TieRule::ascending), {2, 1, 0, 2, 0, 1}).reason, "order");
  EXPECT_EQ(judged(rows(source, selected, TieRule::any), {2, 1, 0, 2, 0, 1}).outside, 0);
}

TEST(Ordering, TreatsNanAsEqualToNan) {
  const std::vector<long double> source = {1, kNan, kNan, 0, 1, 2};
  EXPECT_EQ(judged(rows(source, {kNan, 2}, TieRule::first), {1, 2}).outside, 0);
  EXPECT_EQ(judged(rows(source, {kNan, 2}, TieRule::first), {2, 2}).reason, "order");
  EXPECT_EQ(judged(rows(source, {kNan, 2}, TieRule::any), {0, 2}).reason, "index");
}

TEST(Ordering, ReadsReducedAndFlatDimensions) {
  Bounded whole = integers({0}, {}, {});
  whole.sizes = {};
  whole.selection = Selection{{4}, {1, 9, 3, 9}, {9}, 0, TieRule::first};
  HostTensor got = integer_tensor(Dtype::int64, {1});
  got.sizes = {};
  EXPECT_EQ(accept_order(whole, got).outside, 0);
  // Two windows of one pooled plane may select the same position.
  Bounded pooled = integers({0, 0}, {}, {1, 1, 2});
  pooled.selection = Selection{{1, 2, 3}, {0, 9, 0, 0, 0, 0}, {9, 9}, -1, TieRule::any};
  EXPECT_EQ(judged(pooled, {1, 1}).outside, 0);
  EXPECT_EQ(judged(pooled, {1, 4}).reason, "index");
}

TEST(Ordering, AsksOfAmbiguousPositionsOnlyRangeAndInjection) {
  Bounded expected = rows({7, 7, 6, 2, 2, 0}, {7, 7, 2, 2}, TieRule::any);
  expected.bounds = {1, 1, 0, 0};
  const Acceptance found = judged(expected, {2, 0, 0, 1});
  EXPECT_EQ(found.outside, 0);
  EXPECT_EQ(found.unproven, 2);
  EXPECT_EQ(judged(expected, {2, 2, 0, 1}).outside, 1);
}

TEST(Ordering, WantsASelectionThatFits) {
  EXPECT_THROW(accept_order(integers({0}), integer_tensor(Dtype::int64, {0})), std::logic_error);
  EXPECT_THROW(judged(rows({1, 2, 3}, {3, 3}, TieRule::any), {0, 0}), std::logic_error);
}

}  // namespace
}  // namespace neuroncheck::oracles
