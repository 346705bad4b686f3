#include "db/first_screen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "db/finding_text.h"
#include "db/layout.h"
#include "db/test_runs.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

using test_runs::all_passed;
using test_runs::small_plan;
using test_runs::TemporaryFolder;

// The path of the database differs from run to run.
std::string with_short_path(std::string text) {
  for (std::size_t at = text.find(testing::TempDir() + "neuroncheck-"); at != std::string::npos;
       at = text.find(testing::TempDir() + "neuroncheck-")) {
    text.replace(at, text.find("a.db", at) - at, "");
  }
  return text;
}

void expect_fits(const std::string& screen) {
  std::istringstream stream(with_short_path(screen));
  int lines = 0;
  for (std::string line; std::getline(stream, line); ++lines) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_LE(lines, 25) << screen;
}

TEST(FirstScreen, OfAFirstRun) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  const auto run = test_runs::store_run(database, small_plan(), all_passed(small_plan()));
  const std::string screen = first_screen(database, run);
  expect_fits(screen);
  EXPECT_EQ(with_short_path(screen), R"(SIMULATED OK: nothing unexpected
target    neuron-sim, suite conformance, run 1 of 2026-03-01T10:00:00Z
build     neuron-sim 0.1.0, neuroncheck 0123abcd, torch 2.13.0
believe   complete: 16 planned, 16 done; canaries: none yet
tested    2 rows, 2 ops, 2 dtypes, 2 paths
          8 cases, 2 compile keys, 8 compilations
          seed 7, frozen lane, whole suite
counts        native      weak  degraded   refused     wrong    broken      none
                  16         0         0         0         0         0         0
change    nothing to compare with yet
causes    nothing wrong or broken that is not known
fallback  0 cells fell back to the CPU: neuroncheck query fallbacks
database  a.db
)");
  EXPECT_NE(screen.find("database  " + folder.file("a.db").string()), std::string::npos);
}

std::int64_t store_bad_night(Database& database) {
  test_runs::store_run(database, small_plan("2026-03-01"), all_passed(small_plan()));
  Plan plan = small_plan("2026-03-02");
  plan.fault = "bf16_accumulator:1";
  plan.build["fault"] = plan.fault;
  std::vector<Record> records = all_passed(plan);
  test_runs::set(records, "add", 1, Path::eager, {VerdictKind::mismatch, "value", "outside the interval"});
  test_runs::set(records, "add", 3, Path::compiled, {VerdictKind::mismatch, "value", "outside the interval"});
  test_runs::set(records, "softmax", 2, Path::eager, {VerdictKind::crash, "signal 11", ""});
  test_runs::set(records, "softmax", 0, Path::compiled, {VerdictKind::fallback, "", ""});
  Record& worst = test_runs::at(records, "add", 1, Path::eager);
  worst.verdict.worst = WorstElement{0, 0, "output", {0, 1}, "1.5 [0x3fc0]", "1.25 [0x3fa0]", "1.24", "1.26"};
  worst.verdict.weak_default_sees = true;
  worst.verdict.weak_vendor_sees = false;
  Baseline baseline = test_runs::empty_baseline();
  Expectation stale;
  stale.op = "aten::_softmax";
  stale.verdict = VerdictKind::timeout;
  stale.issue = "https://example.org/7";
  stale.reason = "slow";
  baseline.entries = {stale};
  return test_runs::store_run(database, plan, records, baseline, {RunState::complete, "", "5 of 5 seen"});
}

TEST(FirstScreen, OfABadNight) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  const std::string screen = first_screen(database, store_bad_night(database));
  expect_fits(screen);
  EXPECT_EQ(with_short_path(screen), R"(SIMULATED NOT OK: 3 unexpected results, 1 cell lost
target    neuron-sim, suite conformance, run 2 of 2026-03-02
build     fault bf16_accumulator:1, neuron-sim 0.1.0, neuroncheck 0123abcd,
          torch 2.13.0
fault     bf16_accumulator:1 is planted: wrong results are meant to be found
believe   complete: 16 planned, 16 done; canaries: 5 of 5 seen
tested    2 rows, 2 ops, 2 dtypes, 2 paths
          8 cases, 2 compile keys, 8 compilations
          seed 7, frozen lane, whole suite
counts        native      weak  degraded   refused     wrong    broken      none
                  12         0         1         0         2         1         0
vs run 1          -4         0        +1         0        +2        +1         0
causes    2 cells: mismatch (value) aten::add.Tensor outside the interval
  neuroncheck replay 000000000000add3 --db a.db
          1 cell: crash (signal 11) aten::_softmax
  neuroncheck replay 00000000000050f2 --db a.db
lost      aten::_softmax float32 compiled: native -> fallback (2 -> 1 native ...
fallback  new: aten::_softmax float32 compiled -> aten::exp.out
tidy      not seen any more: aten::_softmax timeout (https://example.org/7)
database  a.db
)");
}

TEST(FirstScreen, HasNoMoreThan25LinesHoweverMuchWentWrong) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  store_bad_night(database);
  Plan plan = small_plan("2026-03-03");
  plan.fault = "everything";
  for (int i = 0; i < 20; ++i) plan.build["component" + std::to_string(i)] = "1.2.3";
  std::vector<Record> records = all_passed(plan);
  int number = 0;
  for (Record& record : records) {
    record.verdict.kind = VerdictKind::crash;
    record.verdict.cause = "cause " + std::string(100, 'x') + std::to_string(++number);
    record.evidence.fallbacks = {{"aten::host", 1, 1}};
  }
  records.push_back(test_runs::record_of(plan, "add", 0, Path::eager));
  Baseline baseline = test_runs::empty_baseline();
  Expectation known;
  known.op = "aten::_softmax";
  known.verdict = VerdictKind::crash;
  known.paths = {Path::eager};
  known.review = "2026-01-01";
  baseline.entries = {known};
  const auto run = test_runs::store_run(database, plan, records, baseline, {RunState::partial, "the budget is spent", ""});
  expect_fits(first_screen(database, run));
}

TEST(FirstScreen, HasAJsonForm) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  const auto json = nlohmann::json::parse(first_screen_json(database, store_bad_night(database)));
  EXPECT_EQ(json.at("simulated"), true);
  EXPECT_EQ(json.at("exit_code"), 1);
  EXPECT_EQ(json.at("counts").at("wrong"), 2);
  EXPECT_EQ(json.at("causes").size(), 2U);
}

TEST(FindingText, TellsAMismatchInTwelveLines) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  store_bad_night(database);
  const std::string finding = with_short_path(finding_text(database, "000000000000add1"));
  EXPECT_LE(std::count(finding.begin(), finding.end(), '\n'), 12);
  EXPECT_EQ(finding, R"(SIMULATED aten::add.Tensor bfloat16 eager case 000000000000add1
verdict     mismatch (value), first_seen on neuron-sim, run 2 of 2026-03-02
at          output 0 [0, 1]
got         1.5 [0x3fc0]
expected    1.25 [0x3fa0], allowed 1.24 .. 1.26; off by 0.5 ulps, 0.25 times what is allowed
inputs      float32[2]
placement   native
cause       outside the interval, shared by 2 cells
would see   assert_close sees it; tolerance 1e-2 blind
repeats     1 of 1 in a fresh worker; 3 shrink steps
replay      neuroncheck replay 000000000000add1 --db a.db
)");
}

TEST(FindingText, TellsWhatWasNotShrunkAndWhatIsUnknown) {
  const TemporaryFolder folder;
  Database database = open_database(folder.file("a.db"));
  store_bad_night(database);
  EXPECT_NE(finding_text(database, "00000000000050f0").find("fallback"), std::string::npos);
  EXPECT_THROW(finding_text(database, "ffff"), UserError);
  EXPECT_TRUE(stored_case(database, "00000000000050f0"));
  EXPECT_FALSE(stored_case(database, "ffff"));
  EXPECT_THROW(stored_case(database, "0000"), UserError);
}

TEST(Layout, GroupsThousandsAndCutsLines) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(-1234567), "-1,234,567");
  EXPECT_EQ(counted(1, "case"), "1 case");
  EXPECT_EQ(fit("abcdef\ng", 20), "abcdef g");
  EXPECT_EQ(fit("abcdefgh", 6), "abc...");
}

}  // namespace
}  // namespace neuroncheck
