#include "harness/search.h"

#include <gtest/gtest.h>

namespace neuroncheck {
namespace {

Record failing() {
  Record record;
  record.position = {"row", 5, {}};
  record.op = "aten::add.Tensor";
  record.verdict.kind = VerdictKind::mismatch;
  record.verdict.reason = "value";
  record.case_id = "root";
  record.case_json = "{}";
  return record;
}

ProbeAnswer answer(const Record& record) { return {false, record.case_json, record.case_id, {record}}; }

Record passing() {
  Record record = failing();
  record.verdict.kind = VerdictKind::pass;
  return record;
}

TEST(Search, GoesDownTheTreeAndStopsWhereNothingSmallerFails) {
  Search search(failing(), Triage::first_seen, 100);
  EXPECT_TRUE(search.wants_fresh_worker());
  EXPECT_TRUE(search.next()->position.children.empty());
  search.answered(answer(failing()));  // fails alone
  EXPECT_EQ(search.next()->position.children, std::vector<int>({0}));
  search.answered(answer(passing()));
  EXPECT_EQ(search.next()->position.children, std::vector<int>({1}));
  Record smaller = failing();
  smaller.case_id = "smaller";
  search.answered(answer(smaller));
  EXPECT_EQ(search.next()->position.children, std::vector<int>({1, 0}));
  search.answered(ProbeAnswer{true, {}, {}, {}});
  EXPECT_FALSE(search.next());
  EXPECT_EQ(search.finding().minimal.case_id, "smaller");
  EXPECT_EQ(search.finding().shrink_steps, 1);
}

TEST(Search, AnotherVerdictIsNotTheSameFailure) {
  Search search(failing(), Triage::first_seen, 100);
  search.answered(answer(failing()));
  Record other = failing();
  other.verdict.kind = VerdictKind::unexpected_error;
  search.answered(answer(other));
  EXPECT_EQ(search.finding().shrink_steps, 0);
}

TEST(Search, ASuccessAloneIsFollowedByRepeatsAndKeptAsInformation) {
  Search search(failing(), Triage::first_seen, 100);
  search.answered(answer(passing()));
  EXPECT_GT(search.next()->repeat, 1);
  search.answered(answer(passing()));
  EXPECT_FALSE(search.next());
  EXPECT_EQ(search.finding().retries, 2);
  EXPECT_EQ(search.finding().retries_failed, 0);
  EXPECT_EQ(search.finding().record.verdict.kind, VerdictKind::mismatch);
}

TEST(Search, EndsWhenItsProbesAreSpent) {
  Search search(failing(), Triage::first_seen, 3);
  search.answered(answer(failing()));
  for (int i = 0; i < 3; ++i) search.answered(answer(passing()));
  EXPECT_FALSE(search.next());
}

}  // namespace
}  // namespace neuroncheck
