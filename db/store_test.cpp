#include "db/store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "db/resume.h"
#include "db/statement.h"
#include "db/test_runs.h"

namespace neuroncheck {
namespace {

using test_runs::all_passed;
using test_runs::small_plan;
using test_runs::TemporaryFolder;

std::int64_t stored(const Database& database) { return integer(database.handle, "SELECT count(*) FROM result"); }

TEST(Store, WritesNothingForAMomentAndThenEverythingAtOnce) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  const Plan plan = small_plan();
  double now = 0.0;
  Store store(database, {[&] { return now; }, {}, std::nullopt});
  store.on_plan(plan);
  for (const Record& record : all_passed(plan)) store.on_record(record, Triage::expected);
  now = 0.1;
  store.on_idle();
  EXPECT_EQ(stored(database), 0);
  now = 0.2;
  store.on_idle();
  EXPECT_EQ(stored(database), 16);
}

TEST(Store, MarksARunPartialUntilItEnds) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  const Plan plan = small_plan();
  Store store(database, {[] { return 0.0; }, {}, std::nullopt});
  store.on_plan(plan);
  EXPECT_EQ(text(database.handle, "SELECT state FROM run"), "partial");
  for (const Record& record : all_passed(plan)) store.on_record(record, Triage::expected);
  store.on_end({RunState::complete, 16, 16, 1.0, "", ""});
  EXPECT_EQ(text(database.handle, "SELECT state FROM run"), "complete");
  EXPECT_EQ(integer(database.handle, "SELECT done FROM run_health"), 16);
  EXPECT_EQ(integer(database.handle, "SELECT count(*) FROM matrix WHERE state = 'native' AND judged = 2"), 8);
}

TEST(Store, KeepsBothOfTwoVerdictsAndCountsOneObservation) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  const Plan plan = small_plan();
  std::vector<Record> records = all_passed(plan);
  records.push_back(records.front());
  records.push_back(test_runs::record_of(plan, "add", 0, Path::eager, {VerdictKind::mismatch, "value", "value"}));
  test_runs::store_run(database, plan, records);
  EXPECT_EQ(stored(database), 17);
  EXPECT_EQ(integer(database.handle, "SELECT done FROM run_health"), 16);
  EXPECT_EQ(text(database.handle, "SELECT row || '/' || n || ' ' || path FROM conflicts"), "add/0 eager");
}

TEST(Store, StoresCellsOnceWhileTheyDoNotChange) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  for (const char* day : {"2026-03-01", "2026-03-02", "2026-03-03"}) {
    const Plan plan = small_plan(day);
    std::vector<Record> records = all_passed(plan);
    if (std::string(day) == "2026-03-03") test_runs::set(records, "add", 1, Path::eager, {VerdictKind::fallback, "", ""});
    test_runs::store_run(database, plan, records);
  }
  EXPECT_EQ(integer(database.handle, "SELECT count(*) FROM cell_result"), 9);
  EXPECT_EQ(text(database.handle, "SELECT op || ' ' || dtype || ' ' || path || ' ' || was || ' ' || now || ' ' || kind FROM release_diff"),
            "aten::add.Tensor bfloat16 eager native fallback regressed");
  EXPECT_EQ(text(database.handle, "SELECT since_date FROM matrix WHERE state = 'fallback'"), "2026-03-03");
  EXPECT_EQ(text(database.handle, "SELECT group_concat(DISTINCT since_date) FROM matrix WHERE state = 'native'"), "2026-03-01");
}

TEST(Store, PutsALateOlderRunBetweenTheOthers) {
  const TemporaryFolder folder;
  Database in_order = open_database(folder.file("a.db")), late = open_database(folder.file("b.db"));
  const auto add = [](Database& database, const char* day, VerdictKind kind) {
    std::vector<Record> records = all_passed(small_plan());
    test_runs::set(records, "softmax", 2, Path::compiled, {kind, "", "c"});
    test_runs::store_run(database, small_plan(day), records);
  };
  add(in_order, "2026-03-01", VerdictKind::pass), add(in_order, "2026-03-02", VerdictKind::crash), add(in_order, "2026-03-03", VerdictKind::pass);
  add(late, "2026-03-01", VerdictKind::pass), add(late, "2026-03-03", VerdictKind::pass), add(late, "2026-03-02", VerdictKind::crash);
  const char* cells = "SELECT group_concat(line) FROM (SELECT run_date || op || dtype || path || state || native AS line FROM cells ORDER BY line)";
  const char* intervals =
      "SELECT group_concat(line) FROM (SELECT k.op || k.dtype || k.path || first || '-' || last AS line FROM cell_result "
      "JOIN cell_of k USING (cell) ORDER BY line)";
  EXPECT_EQ(text(in_order.handle, cells), text(late.handle, cells));
  EXPECT_EQ(text(in_order.handle, intervals), text(late.handle, intervals));
  EXPECT_EQ(integer(late.handle, "SELECT count(*) FROM cell_result"), 10);
}

TEST(Resume, FindsOnlyAnUnfinishedRunOfTheSamePlan) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  Plan plan = small_plan();
  EXPECT_FALSE(find_unfinished(database, plan));
  const std::vector<Record> records = all_passed(plan);
  const auto run = test_runs::store_run(database, plan, {records.begin(), records.begin() + 5}, {}, {RunState::partial, "interrupted", ""});
  plan.started = "2026-03-01T11:00:00Z";
  plan.host = "there";
  plan.jobs = 9;
  const auto unfinished = find_unfinished(database, plan);
  ASSERT_TRUE(unfinished);
  EXPECT_EQ(unfinished->run, run);
  EXPECT_EQ(unfinished->started, "2026-03-01T10:00:00Z");
  EXPECT_EQ(unfinished->done.size(), 5);
  EXPECT_TRUE(unfinished->done.contains("add", 2, Path::eager));
  EXPECT_FALSE(unfinished->done.contains("add", 2, Path::compiled));
  Plan other = plan;
  other.seed = 8;
  EXPECT_FALSE(find_unfinished(database, other));
  other = plan;
  other.items[0].count = 5;
  EXPECT_FALSE(find_unfinished(database, other));
}

TEST(Resume, NeverGoesOnWithACompleteOrVoidRun) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  const Plan plan = small_plan();
  test_runs::store_run(database, plan, all_passed(plan), {}, {RunState::void_, "wrong canary", ""});
  EXPECT_FALSE(find_unfinished(database, plan));
  test_runs::store_run(database, small_plan("2026-03-02"), all_passed(plan));
  EXPECT_FALSE(find_unfinished(database, plan));
}

Plan long_plan() {
  Plan plan = small_plan();
  for (PlanItem& item : plan.items) item.count = 4000;
  return plan;
}

// Every 50th record is one moment later than the flush interval. Says when a few transactions are through, and goes on writing.
[[noreturn]] void write_until_killed(const std::filesystem::path& file, int pipe) {
  Database database = open_database(file);
  double now = 0.0;
  Store store(database, {[&] { return now; }, {}, std::nullopt});
  const Plan plan = long_plan();
  store.on_plan(plan);
  int written = 0;
  for (const Record& record : all_passed(plan)) {
    if (++written % 50 == 0) now += 1.0;
    store.on_record(record, Triage::expected);
    if (written == 1000 && ::write(pipe, "x", 1) != 1) ::_exit(1);
  }
  for (;;) ::pause();
}

TEST(Store, SurvivesKillNineAndTheRunGoesOn) {
  const TemporaryFolder folder;
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) write_until_killed(folder.file("a.db"), pipe[1]);
  char signal = 0;
  ASSERT_EQ(::read(pipe[0], &signal, 1), 1);
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);

  Database database = open_database(folder.file("a.db"));
  EXPECT_EQ(check_integrity(database.handle), "");
  const Plan plan = long_plan();
  const auto unfinished = find_unfinished(database, plan);
  ASSERT_TRUE(unfinished);
  EXPECT_GE(unfinished->done.size(), 950);
  Store store(database, {[] { return 0.0; }, {}, unfinished->run});
  store.on_plan(plan);
  std::int64_t judged_again = 0;
  for (const Record& record : all_passed(plan)) {
    if (unfinished->done.contains(record.position.row, record.position.n, record.path)) continue;
    store.on_record(record, Triage::expected);
    ++judged_again;
  }
  store.on_end({RunState::complete, planned_count(plan), planned_count(plan), 1.0, "", ""});
  EXPECT_EQ(unfinished->done.size() + judged_again, planned_count(plan));
  EXPECT_EQ(stored(database), planned_count(plan));
  EXPECT_EQ(text(database.handle, "SELECT state FROM run"), "complete");
  EXPECT_EQ(integer(database.handle, "SELECT count(*) FROM run"), 1);
}

}  // namespace
}  // namespace neuroncheck
