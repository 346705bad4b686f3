#include "db/gate.h"

#include <gtest/gtest.h>

#include "db/test_runs.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

using test_runs::all_passed;
using test_runs::Ending;
using test_runs::Outcome;
using test_runs::small_plan;
using test_runs::TemporaryFolder;

Baseline lists_mismatch_of_add() {
  Baseline baseline = test_runs::empty_baseline();
  Expectation entry;
  entry.op = "aten::add.Tensor";
  entry.verdict = VerdictKind::mismatch;
  entry.issue = "https://example.org/1";
  entry.reason = "known";
  baseline.entries.push_back(entry);
  return baseline;
}

struct Night {
  Outcome outcome;  // of add/0 eager
  Baseline baseline = test_runs::empty_baseline();
  Ending ending = {};
};

// One run a day; the gate of the last.
GateResult gate_of(const std::vector<Night>& nights) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  std::int64_t run = 0;
  for (std::size_t day = 1; day <= nights.size(); ++day) {
    const Night& night = nights[day - 1];
    std::vector<Record> records = all_passed(small_plan());
    test_runs::set(records, "add", 0, Path::eager, night.outcome);
    run = test_runs::store_run(database, small_plan("2026-03-0" + std::to_string(day)), records, night.baseline, night.ending);
  }
  return gate_run(database, run);
}

const Outcome kPass = {VerdictKind::pass, "", ""};
const Outcome kMismatch = {VerdictKind::mismatch, "value", "v"};
const Outcome kFallback = {VerdictKind::fallback, "", ""};

TEST(Gate, AcceptsAFirstRunAndSaysThatItIsTheReference) {
  const GateResult gate = gate_of({{kFallback}});
  EXPECT_EQ(gate.exit_code, 0);
  EXPECT_EQ(gate.reference, 0);
  EXPECT_NE(gate.lines.front().find("first run"), std::string::npos);
}

TEST(Gate, RefusesWrongResultsOfAFirstRunThatTheBaselineDoesNotList) {
  const GateResult gate = gate_of({{kMismatch}});
  EXPECT_EQ(gate.exit_code, 1);
  EXPECT_EQ(gate.unexpected, 1);
}

TEST(Gate, AcceptsAnythingInAFirstRunWithoutABaseline) { EXPECT_EQ(gate_of({{kMismatch, Baseline{}, {}}}).exit_code, 0); }

TEST(Gate, WithoutABaselineGatesWrongCellsByDifference) {
  EXPECT_EQ(gate_of({{kMismatch, Baseline{}, {}}, {kMismatch, Baseline{}, {}}}).exit_code, 0);
  EXPECT_EQ(gate_of({{kPass, Baseline{}, {}}, {kMismatch, Baseline{}, {}}}).exit_code, 1);
}

TEST(Gate, AcceptsWhatTheBaselineLists) { EXPECT_EQ(gate_of({{kMismatch, lists_mismatch_of_add(), {}}}).exit_code, 0); }

TEST(Gate, GatesCoverageByDifferenceFromTheReference) {
  EXPECT_EQ(gate_of({{kFallback}, {kFallback}}).exit_code, 0);
  EXPECT_EQ(gate_of({{kFallback}, {kPass}}).exit_code, 0);
  const GateResult lost = gate_of({{kPass}, {kFallback}});
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_EQ(lost.lost_cells, 1);
}

TEST(Gate, SaysThatARunIsIncomplete) {
  const GateResult gate = gate_of({{kPass, test_runs::empty_baseline(), {RunState::partial, "budget", ""}}});
  EXPECT_EQ(gate.exit_code, 3);
}

TEST(Gate, BelievesNoVoidRunAndNoHarnessError) {
  EXPECT_EQ(gate_of({{kPass, test_runs::empty_baseline(), {RunState::void_, "wrong canary", ""}}}).exit_code, 5);
  const GateResult gate = gate_of({{{VerdictKind::harness_error, "", "the generator threw"}}});
  EXPECT_EQ(gate.exit_code, 5);
  EXPECT_EQ(gate.harness_errors, 1);
}

TEST(Gate, SaysThatShardsAreMissing) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  Plan plan = small_plan();
  plan.shards = 2;
  const GateResult gate = gate_run(database, test_runs::store_run(database, plan, all_passed(plan)));
  EXPECT_EQ(gate.exit_code, 3);
  EXPECT_NE(gate.lines[1].find("partial selection: 1 of 2 shards"), std::string::npos);
}

TEST(Gate, JudgesByAnotherBaselineAndAnotherReference) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  std::vector<Record> records = all_passed(small_plan());
  const auto first = test_runs::store_run(database, small_plan("2026-03-01"), records);
  test_runs::set(records, "add", 0, Path::eager, kFallback);
  test_runs::store_run(database, small_plan("2026-03-02"), records);
  const auto last = test_runs::store_run(database, small_plan("2026-03-03"), records);
  EXPECT_EQ(gate_run(database, last).exit_code, 0);
  EXPECT_EQ(gate_run(database, last, {.reference = first, .baseline = {}}).exit_code, 1);
  test_runs::set(records, "add", 0, Path::eager, kMismatch);
  const auto wrong = test_runs::store_run(database, small_plan("2026-03-04"), records);
  EXPECT_EQ(gate_run(database, wrong).exit_code, 1);
  EXPECT_EQ(gate_run(database, wrong, {.reference = {}, .baseline = lists_mismatch_of_add()}).exit_code, 0);
}

TEST(Gate, RefusesAReferenceOfAnotherSuite) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  Plan other = small_plan();
  other.suite_fingerprint = "00000000000000bb";
  const auto first = test_runs::store_run(database, other, all_passed(other));
  const auto last = test_runs::store_run(database, small_plan("2026-03-02"), all_passed(other));
  EXPECT_THROW(gate_run(database, last, {.reference = first, .baseline = {}}), UserError);
}

}  // namespace
}  // namespace neuroncheck
