#include "db/merge.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <fstream>
#include <iostream>
#include <set>

#include "db/statement.h"
#include "db/test_runs.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

using test_runs::all_passed;
using test_runs::small_plan;
using test_runs::TemporaryFolder;

// The content by words, whatever integers stand for them.
std::string content(const Database& database) {
  return text(database.handle, R"sql(
    WITH line (text) AS (
      SELECT 'result ' || r.uid || w.name || x.n || k.op || k.dtype || k.path || x.verdict || x.run_us || coalesce(u.text, '') || coalesce(t.case_id, '')
        FROM result x JOIN run r ON r.id = x.run JOIN catalogue_row w ON w.id = x.row JOIN cell_of k ON k.cell = x.cell
        LEFT JOIN cause u ON u.id = x.cause LEFT JOIN test_case t ON t.id = x.test_case
      UNION ALL SELECT 'shard ' || r.uid || h.shard || h.state || h.why || h.wall_s FROM shard h JOIN run r ON r.id = h.run
      UNION ALL SELECT 'run ' || uid || state || coalesce(position, '') FROM run
      UNION ALL SELECT 'cell ' || run_date || op || dtype || path || state || native || wrong || worst_case FROM cells
      UNION ALL SELECT 'interval ' || k.op || k.dtype || k.path || c.first || '-' || c.last || c.state FROM cell_result c JOIN cell_of k ON k.cell = c.cell
      UNION ALL SELECT 'finding ' || r.uid || w.name || f.n || f.verdict || f.minimal FROM finding f JOIN run r ON r.id = f.run JOIN catalogue_row w ON w.id = f.row
      UNION ALL SELECT 'compilation ' || r.uid || c.shard || k.op || k.dtype || c.compile_key || c.cases || c.compile_us
        FROM compilation c JOIN run r ON r.id = c.run JOIN cell_of k ON k.cell = c.cell
      UNION ALL SELECT 'conflict ' || run_date || row || n || path FROM conflicts)
    SELECT group_concat(text, char(10)) FROM (SELECT text FROM line ORDER BY text))sql");
}

Plan shard_plan(const std::string& day, int shard) {
  Plan plan = small_plan(day);
  plan.shard = shard;
  plan.shards = 2;
  plan.items = {plan.items[static_cast<std::size_t>(shard)]};
  return plan;
}

std::filesystem::path write_shard(const TemporaryFolder& folder, const std::string& name, const Plan& plan, const std::vector<Record>& records) {
  Database database = open_database(folder.file(name));
  test_runs::store_run(database, plan, records);
  return folder.file(name);
}

TEST(Merge, MakesOneCompleteRunOfItsShards) {
  const TemporaryFolder folder;
  const Plan first = shard_plan("2026-03-01", 0), second = shard_plan("2026-03-01", 1);
  const auto a = write_shard(folder, "a.db", first, all_passed(first)), b = write_shard(folder, "b.db", second, all_passed(second));
  Database merged = open_database(folder.file("m.db"));
  merge_databases(merged, {a});
  EXPECT_EQ(text(merged.handle, "SELECT state FROM run"), "partial");
  const MergeResult result = merge_databases(merged, {b});
  EXPECT_EQ(result.added, 8);
  EXPECT_EQ(result.conflicts, 0);
  EXPECT_EQ(text(merged.handle, "SELECT group_concat(state || planned || done) FROM run_health"), "complete1616");
  EXPECT_EQ(check_integrity(merged.handle), "");
}

TEST(Merge, ShowsTheShardThatMissedACanary) {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> files;
  for (const auto& [state, canaries] : {std::pair(RunState::void_, "4 of 5 seen"), std::pair(RunState::complete, "5 of 5 seen")}) {
    const Plan plan = shard_plan("2026-03-01", static_cast<int>(files.size()));
    files.push_back(folder.file(std::to_string(files.size()) + ".db"));
    Database database = open_database(files.back());
    test_runs::store_run(database, plan, all_passed(plan), test_runs::empty_baseline(), {state, "", canaries});
  }
  Database merged = open_database(folder.file("m.db"));
  merge_databases(merged, files);
  EXPECT_EQ(text(merged.handle, "SELECT state || ': ' || canaries FROM run_health"), "void: 4 of 5 seen");
}

TEST(Merge, KeepsBothOfTwoVerdictsAndFlagsThem) {
  const TemporaryFolder folder;
  const Plan plan = small_plan();
  std::vector<Record> other = all_passed(plan);
  test_runs::set(other, "add", 1, Path::eager, {VerdictKind::mismatch, "value", "value"});
  const auto a = write_shard(folder, "a.db", plan, all_passed(plan)), b = write_shard(folder, "b.db", plan, other);
  Database merged = open_database(folder.file("m.db"));
  EXPECT_EQ(merge_databases(merged, {a, b}).conflicts, 1);
  EXPECT_EQ(text(merged.handle, "SELECT row || n || path FROM conflicts"), "add1eager");
  EXPECT_EQ(text(merged.handle, "SELECT state FROM matrix WHERE op = 'aten::add.Tensor' AND dtype = 'bfloat16' AND path = 'eager'"), "wrong");
}

TEST(Merge, RefusesForeignAndNewerFilesByNameAndChangesNothing) {
  const TemporaryFolder folder;
  const Plan plan = small_plan();
  const auto good = write_shard(folder, "good.db", plan, all_passed(plan)), newer = write_shard(folder, "newer.db", plan, all_passed(plan));
  open_database(newer).handle.exec("PRAGMA user_version = 99");
  std::ofstream(folder.file("foreign.db")) << std::string(2048, 'x');
  Database merged = open_database(folder.file("m.db"));
  for (const char* bad : {"newer.db", "foreign.db", "missing.db"}) {
    try {
      merge_databases(merged, {good, folder.file(bad)});
      ADD_FAILURE() << bad;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(bad), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(merge_databases(merged, {merged.file}), UserError);
  EXPECT_EQ(integer(merged.handle, "SELECT count(*) FROM run"), 0);
}

// Some observations of a shard, each with a verdict of its own.
std::vector<Record> some_records(const Plan& plan) {
  std::vector<Record> records;
  for (Record record : all_passed(plan)) {
    const int kind = *rc::gen::inRange(0, 4);
    if (kind == 0) continue;
    if (kind == 1) record = test_runs::record_of(plan, record.position.row, record.position.n, record.path, {VerdictKind::mismatch, "value", "v"});
    record.run_us = *rc::gen::inRange(1, 4);
    records.push_back(record);
  }
  return records;
}

void merging_twice_and_in_another_order_changes_nothing() {
  const TemporaryFolder folder;
  std::vector<std::filesystem::path> files;
  for (const auto& [day, shard] : {std::pair("2026-03-01", 0), std::pair("2026-03-01", 1), std::pair("2026-03-02", 0), std::pair("2026-03-01", 0)}) {
    const Plan plan = shard_plan(day, shard);
    files.push_back(write_shard(folder, std::to_string(files.size()) + ".db", plan, some_records(plan)));
  }
  Database in_order = open_database(folder.file("in_order.db"));
  merge_databases(in_order, files);
  const std::string once = content(in_order);
  merge_databases(in_order, files);
  RC_ASSERT(content(in_order) == once);
  std::vector<std::size_t> order = {0, 1, 2, 3};
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  Database shuffled = open_database(folder.file("shuffled.db"));
  for (const std::size_t index : order) merge_databases(shuffled, {files[index]});
  RC_ASSERT(content(shuffled) == once);
}

TEST(Merge, IsIdempotentAndFreeOfOrder) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = 15;  // each makes six files
  const auto result = rc::detail::checkTestable(merging_twice_and_in_another_order_changes_nothing, rc::detail::TestMetadata(), params);
  if (!result.template is<rc::detail::SuccessResult>()) rc::detail::printResultMessage(result, std::cerr);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>());
}

}  // namespace
}  // namespace neuroncheck
