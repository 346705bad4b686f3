#include "db/named_query.h"

#include <gtest/gtest.h>

#include "db/statement.h"
#include "db/test_runs.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

using test_runs::all_passed;
using test_runs::small_plan;
using test_runs::TemporaryFolder;

class NamedQuery : public testing::Test {
 protected:
  NamedQuery() : database_(open_database(folder_.file("a.db"))) {
    std::vector<Record> records = all_passed(small_plan());
    test_runs::store_run(database_, small_plan("2026-03-01"), records);
    test_runs::set(records, "add", 1, Path::eager, {VerdictKind::mismatch, "value", "off by \"one\", twice"});
    test_runs::set(records, "softmax", 0, Path::eager, {VerdictKind::fallback, "", ""});
    test_runs::set(records, "softmax", 1, Path::compiled, {VerdictKind::graph_break, "", "data dependent"});
    test_runs::at(records, "softmax", 1, Path::compiled).counters.graph_breaks = 1;
    test_runs::store_run(database_, small_plan("2026-03-02"), records);
  }

  TemporaryFolder folder_;
  Database database_;
};

TEST_F(NamedQuery, EachSaysWhatItAnswersAndRuns) {
  EXPECT_GE(list_queries().size(), 14U);
  for (const QueryInfo& info : list_queries()) {
    EXPECT_FALSE(info.answers.empty()) << info.name;
    const Table table = run_named_query(database_, info.name);
    EXPECT_FALSE(table.columns.empty()) << info.name;
  }
}

TEST_F(NamedQuery, AnswersFromTheLatestRunOrTheNamedOne) {
  EXPECT_EQ(run_named_query(database_, "matrix").rows.size(), 8U);
  EXPECT_EQ(run_named_query(database_, "unexpected").rows.size(), 1U);
  QueryParameters first;
  first.run = "2026-03-01";
  EXPECT_EQ(run_named_query(database_, "unexpected", first).rows.size(), 0U);
  EXPECT_EQ(run_named_query(database_, "fallbacks").rows.size(), 1U);
  EXPECT_EQ(run_named_query(database_, "graph_breaks").rows.size(), 1U);
  EXPECT_EQ(run_named_query(database_, "release_diff").rows.size(), 3U);
}

TEST(NamedQueryOfExploringRuns, SaysWhyThereIsNoLatestRun) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("b.db"));
  EXPECT_EQ(run_named_query(database, "coverage").about, "") << "nothing was run at all";
  Plan plan = small_plan();
  plan.lane = "exploring";
  test_runs::store_run(database, plan, all_passed(plan));
  const Table coverage = run_named_query(database, "coverage");
  EXPECT_TRUE(coverage.rows.empty());
  EXPECT_NE(coverage.about.find("frozen lane"), std::string::npos);
  EXPECT_EQ(run_named_query(database, "glossary").about, "");
}

TEST_F(NamedQuery, ComparesRunsInEitherDirection) {
  QueryParameters back;
  back.from = "2";
  back.to = "1";
  const Table table = run_named_query(database_, "release_diff", back);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].back(), Value(std::string("fixed")));
}

TEST_F(NamedQuery, SelectsOpsByPartOrGlob) {
  QueryParameters parameters;
  parameters.op = "softmax";
  EXPECT_EQ(run_named_query(database_, "matrix", parameters).rows.size(), 4U);
  parameters.op = "softmax*";
  EXPECT_EQ(run_named_query(database_, "matrix", parameters).rows.size(), 4U);
  parameters.op = "aten::add.*";
  EXPECT_EQ(run_named_query(database_, "matrix", parameters).rows.size(), 4U);
}

TEST_F(NamedQuery, ExplainsWhatItDoesNotKnow) {
  EXPECT_THROW(run_named_query(database_, "nonsense"), UserError);
  QueryParameters parameters;
  parameters.op = "add";
  EXPECT_THROW(run_named_query(database_, "glossary", parameters), UserError);
}

TEST_F(NamedQuery, EveryPublicViewIsDescribedAndCanBeRead) {
  SQLite::Statement views(database_.handle, "SELECT view, example FROM about");
  while (views.executeStep()) {
    EXPECT_NO_THROW(integer(database_.handle, "SELECT count(*) FROM " + views.getColumn(0).getString())) << views.getColumn(0).getString();
    EXPECT_NO_THROW(text(database_.handle, views.getColumn(1).getString())) << views.getColumn(1).getString();
  }
}

// Answers from the cells of one run must not read the results of all runs.
TEST_F(NamedQuery, FindsTheCellsOfARunByIndex) {
  std::string plan;
  SQLite::Statement explain(database_.handle, "EXPLAIN QUERY PLAN SELECT state FROM run_cell WHERE run = 2");
  while (explain.executeStep()) plan += explain.getColumn(3).getString() + "\n";
  EXPECT_NE(plan.find("SEARCH c USING INDEX cell_result_by_last"), std::string::npos) << plan;
  EXPECT_EQ(plan.find("SCAN result"), std::string::npos) << plan;
  EXPECT_EQ(plan.find("SCAN r\n"), std::string::npos) << plan;
}

TEST(Table, PrintsInEveryForm) {
  const Table table{{"op", "n"}, {{std::string("a,\"b\"|c"), std::int64_t{12}}, {std::monostate{}, 0.5}}, ""};
  EXPECT_EQ(print(table, TableFormat::table), "op         n\na,\"b\"|c   12\n         0.5\n2 rows\n");
  EXPECT_EQ(print(table, TableFormat::csv), "op,n\r\n\"a,\"\"b\"\"|c\",12\r\n,0.5\r\n");
  EXPECT_EQ(print(table, TableFormat::json), "[\n {\n  \"op\": \"a,\\\"b\\\"|c\",\n  \"n\": 12\n },\n {\n  \"op\": null,\n  \"n\": 0.5\n }\n]\n");
  EXPECT_EQ(print(table, TableFormat::markdown), "| op | n |\n|---|---|\n| a,\"b\"\\|c | 12 |\n|  | 0.5 |\n");
  EXPECT_THROW(parse_table_format("xml"), UserError);
}

}  // namespace
}  // namespace neuroncheck
