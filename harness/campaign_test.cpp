#include "harness/campaign.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>

namespace neuroncheck {
namespace {

struct Heard : Listener {
  void on_plan(const Plan& plan) override { versions = plan.build; }
  void on_record(const Record& record, Triage) override {
    verdicts[{record.position.n, record.path}].push_back(record.verdict);
    if (after_record) after_record();
  }
  void on_finding(const Finding& finding) override { findings.push_back(finding); }
  void on_end(const RunEnd& run_end) override { end = run_end; }

  std::function<void()> after_record;
  std::map<std::pair<std::int64_t, Path>, std::vector<Verdict>> verdicts;
  std::vector<Finding> findings;
  std::map<std::string, std::string> versions;
  RunEnd end;
};

Verdict judge_death(const Died& died, Stage stage) {
  Verdict verdict;
  verdict.kind = stage == Stage::reference ? VerdictKind::skipped : died.deadline ? VerdictKind::timeout : VerdictKind::crash;
  return verdict;
}

Plan plan_of(const std::string& row, std::vector<Path> paths) {
  PlanItem item;
  item.row = row;
  item.op = "fake::" + row;
  item.dtypes = {Dtype::int64};
  item.selected_dtypes = {Dtype::int64};
  item.paths = std::move(paths);
  item.count = 20;
  item.keys = item.compiled_keys = 20;  // every case has a compile key of its own
  Plan plan;
  plan.items = {item};
  return plan;
}

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct Campaigning {
  Heard heard;
  std::atomic<bool> stop = false;
  CampaignOptions options;
  CampaignResult result;
  JudgedSet done;
  Earlier earlier;
  std::vector<std::string> worker_arguments;

  Campaigning() {
    options.jobs = 2;
    options.deadline_s = 20;
  }

  void run(const Plan& plan) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / ("campaign_test." + std::to_string(::getpid()));
    {
      InFlightFile in_flight(file, 8);
      const Baseline baseline{.exists = true, .entries = {}};
      const CampaignParts parts{
          .command = [&](int slot) { return command(file.string(), slot); },
          .in_flight = in_flight,
          .baseline = baseline,
          .done = [&](const PlanItem&) { return done; },
          .earlier = [&] { return earlier; },
          .judge_death = judge_death,
          .listeners = [&](const Plan&) { return std::vector<Listener*>{&heard}; },
          .now_s = now_s,
          .stop = stop,
      };
      result = run_campaign(plan, options, parts);
    }
    std::filesystem::remove(file);
  }

  WorkerCommand command(const std::string& in_flight, int slot) const {
    WorkerCommand made{{FAKE_WORKER, in_flight, std::to_string(slot)}, {}, "/dev/null"};
    made.arguments.insert(made.arguments.end(), worker_arguments.begin(), worker_arguments.end());
    return made;
  }

  std::map<VerdictKind, int> counts() const {
    std::map<VerdictKind, int> counted;
    for (const auto& [key, verdicts] : heard.verdicts) {
      EXPECT_EQ(verdicts.size(), 1u) << "case " << key.first << " was judged more than once";
      ++counted[verdicts.front().kind];
    }
    return counted;
  }
};

// Two compile keys of eight: every dtype has a general shape (slots 2 and 3) and one of the degenerate ones, and the row has all four.
TEST(Plan, SpreadsFewCompileKeysOverShapes) {
  PlanItem item = plan_of("right", {Path::compiled}).items.front();
  item.dtypes = {Dtype::float32, Dtype::bfloat16, Dtype::int64};
  item.selected_dtypes = {Dtype::float32, Dtype::bfloat16, Dtype::int64};
  item.keys = 8;
  item.compiled_keys = 2;
  item.count = 24;
  std::map<std::int64_t, std::set<std::int64_t>> slots;
  for (std::int64_t n = 0; n < item.count; ++n) {
    if (is_planned(item, n, Path::compiled)) slots[n % 3].insert(n / 3);
  }
  EXPECT_EQ(slots, (std::map<std::int64_t, std::set<std::int64_t>>{{0, {0, 2}}, {1, {1, 3}}, {2, {0, 2}}}));
  item.compiled_keys = 1;
  EXPECT_TRUE(is_planned(item, 6, Path::compiled)) << "float32 on slot 2";
  EXPECT_FALSE(is_planned(item, 0, Path::compiled));
}

// No key per dtype: one key of every third dtype, and over the rows each dtype has its turn.
TEST(Plan, CompilesEveryThirdDtypeWhenThereIsNoKeyForEach) {
  PlanItem item = plan_of("right", {Path::compiled}).items.front();
  item.dtypes = {Dtype::float32, Dtype::bfloat16, Dtype::int64, Dtype::float16, Dtype::int32, Dtype::bool_};
  item.selected_dtypes = {item.dtypes.begin(), item.dtypes.end()};
  item.keys = 8;
  item.compiled_keys = 0;
  item.count = 48;
  std::set<std::int64_t> seen;
  for (const char* row : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    item.row = row;
    std::set<std::int64_t> dtypes;
    for (std::int64_t n = 0; n < item.count; ++n) {
      if (!is_planned(item, n, Path::compiled)) continue;
      EXPECT_TRUE(dtypes.insert(n % 6).second) << "one slot";
    }
    EXPECT_EQ(dtypes.size(), 2U);
    seen.insert(dtypes.begin(), dtypes.end());
  }
  EXPECT_EQ(seen.size(), 6U);
}

TEST(Campaign, JudgesEveryPlannedObservationOnce) {
  Campaigning campaign;
  campaign.run(plan_of("right", {Path::eager, Path::compiled}));
  EXPECT_EQ(campaign.counts(), (std::map<VerdictKind, int>{{VerdictKind::pass, 40}}));
  EXPECT_EQ(campaign.result.end.state, RunState::complete);
  EXPECT_EQ(campaign.heard.versions.at("fake"), "1");
}

TEST(Campaign, BlamesTheCaseThatKilledItsWorkerAndGoesOnBehindIt) {
  Campaigning campaign;
  campaign.run(plan_of("crash_at_7", {Path::eager, Path::compiled}));
  EXPECT_EQ(campaign.counts(), (std::map<VerdictKind, int>{{VerdictKind::pass, 38}, {VerdictKind::crash, 2}}));
  EXPECT_EQ(campaign.heard.verdicts.at({7, Path::eager}).front().kind, VerdictKind::crash);
  EXPECT_EQ(campaign.result.end.state, RunState::complete);
}

TEST(Campaign, FindsTheCulpritOfABatchThatDied) {
  Campaigning campaign;
  campaign.run(plan_of("batch_crash_at_3", {Path::compiled}));
  EXPECT_EQ(campaign.counts(), (std::map<VerdictKind, int>{{VerdictKind::pass, 19}, {VerdictKind::crash, 1}}));
  EXPECT_EQ(campaign.heard.verdicts.at({3, Path::compiled}).front().kind, VerdictKind::crash);
}

TEST(Campaign, EndsWhatHangsAtItsDeadline) {
  Campaigning campaign;
  campaign.options.deadline_s = 1;
  campaign.options.shrink_probes = 1;
  campaign.options.findings = 0;
  campaign.run(plan_of("hang_at_2", {Path::eager}));
  EXPECT_EQ(campaign.heard.verdicts.at({2, Path::eager}).front().kind, VerdictKind::timeout);
  EXPECT_EQ(campaign.result.end.state, RunState::complete);
}

TEST(Campaign, DoesNotBlameTheTargetForADeathInTheReference) {
  Campaigning campaign;
  campaign.run(plan_of("reference_crash_at_4", {Path::eager}));
  EXPECT_EQ(campaign.heard.verdicts.at({4, Path::eager}).front().kind, VerdictKind::skipped);
  EXPECT_TRUE(campaign.heard.findings.empty());
}

TEST(Campaign, TakesWhatWeThrowForOurOwnError) {
  for (const char* row : {"draw_throws_at_5", "run_throws_at_5"}) {
    Campaigning campaign;
    campaign.options.findings = 0;
    campaign.run(plan_of(row, {Path::eager}));
    EXPECT_EQ(campaign.counts(), (std::map<VerdictKind, int>{{VerdictKind::pass, 19}, {VerdictKind::harness_error, 1}})) << row;
    EXPECT_EQ(campaign.heard.verdicts.at({5, Path::eager}).front().kind, VerdictKind::harness_error) << row;
    EXPECT_EQ(campaign.result.end.state, RunState::complete) << row;
  }
}

TEST(Campaign, GoesOnAfterADrawThatThrowsOnCompiledPathsToo) {
  Campaigning campaign;
  campaign.options.findings = 0;
  campaign.run(plan_of("draw_throws_at_5", {Path::eager, Path::compiled}));
  EXPECT_EQ(campaign.counts(), (std::map<VerdictKind, int>{{VerdictKind::pass, 38}, {VerdictKind::harness_error, 2}}));
}

TEST(Campaign, SearchesWhatAnEarlierCallLeftUnsearched) {
  Campaigning first;
  first.options.findings = 0;
  first.run(plan_of("wrong_above_5", {Path::eager}));
  Campaigning second;
  for (std::int64_t n = 0; n < 20; ++n) second.done.emplace(n, Path::eager);
  Record record = planned_record(plan_of("wrong_above_5", {Path::eager}).items.front(), 3, Path::eager);
  record.verdict = first.heard.verdicts.at({3, Path::eager}).front();
  second.earlier.unexpected = {record};
  second.run(plan_of("wrong_above_5", {Path::eager}));
  ASSERT_EQ(second.heard.findings.size(), 1u);
  EXPECT_EQ(second.heard.findings.front().retries_failed, 1);
  Campaigning third;
  third.done = second.done;
  third.earlier = {{record}, {record}};
  third.run(plan_of("wrong_above_5", {Path::eager}));
  EXPECT_TRUE(third.heard.findings.empty());
}

// Ctrl-C after the last judgement and before the first search: all is judged, but the same command still has something to do.
TEST(Campaign, IsNotCompleteBeforeItsSearchesAre) {
  for (const char* row : {"wrong_above_5", "right"}) {
    Campaigning campaign;
    campaign.heard.after_record = [&] { campaign.stop = campaign.heard.verdicts.size() == 20; };
    campaign.run(plan_of(row, {Path::eager}));
    ASSERT_EQ(campaign.heard.verdicts.size(), 20u) << row;
    EXPECT_TRUE(campaign.heard.findings.empty()) << row;
    EXPECT_EQ(campaign.result.end.state, row == std::string("right") ? RunState::complete : RunState::partial) << row;
  }
}

TEST(Campaign, ShrinksToTheSmallestCaseThatStillFails) {
  Campaigning campaign;
  campaign.run(plan_of("wrong_above_5", {Path::eager}));
  ASSERT_EQ(campaign.heard.findings.size(), 1u);
  const Finding& finding = campaign.heard.findings.front();
  EXPECT_EQ(finding.retries_failed, 1);
  EXPECT_NE(finding.minimal.case_id, finding.record.case_id);
  EXPECT_GT(finding.shrink_steps, 1);
  // Between 6 and 8 elements are left: no shrink step of a dimension gives fewer and still fails.
  EXPECT_NE(finding.repro_line.find(finding.minimal.case_id), std::string::npos);
}

TEST(Campaign, SearchesEveryFailureBeforeTheSameOneOnFurtherOps) {
  Campaigning campaign;
  campaign.options.jobs = 1;
  campaign.options.shrink_probes = 40;
  Plan plan = plan_of("wrong_above_5", {Path::eager});
  for (const char* row : {"wrong_above_4", "crash_at_7"}) plan.items.push_back(plan_of(row, {Path::eager}).items.front());
  campaign.run(plan);
  ASSERT_EQ(campaign.heard.findings.size(), 3u);
  EXPECT_EQ(campaign.heard.findings.at(0).record.op, "fake::wrong_above_5");
  EXPECT_EQ(campaign.heard.findings.at(1).record.op, "fake::crash_at_7");
  EXPECT_EQ(campaign.heard.findings.at(2).record.op, "fake::wrong_above_4");
  EXPECT_LE(campaign.heard.findings.at(2).shrink_steps, 10);  // a quarter of the probes
}

TEST(Campaign, RepeatsWhatFailsOnlyNowAndThen) {
  Campaigning campaign;
  campaign.options.shrink_probes = 40;
  campaign.run(plan_of("one_in_ten", {Path::eager}));
  ASSERT_EQ(campaign.heard.findings.size(), 1u);
  EXPECT_NE(campaign.heard.findings.front().repro_line.find("--repeat"), std::string::npos);
}

TEST(Campaign, ShrinksDeathsThroughFreshWorkers) {
  Campaigning campaign;
  campaign.options.shrink_probes = 20;
  campaign.run(plan_of("crash_at_7", {Path::eager}));
  ASSERT_EQ(campaign.heard.findings.size(), 1u);
  EXPECT_FALSE(campaign.heard.findings.front().minimal.case_json.empty());
}

TEST(Campaign, LeavesOutWhatIsAlreadyDone) {
  Campaigning campaign;
  for (std::int64_t n = 0; n < 15; ++n) campaign.done.emplace(n, Path::eager);
  campaign.run(plan_of("right", {Path::eager}));
  EXPECT_EQ(campaign.heard.verdicts.size(), 5u);
  EXPECT_EQ(campaign.result.end.state, RunState::complete);
}

TEST(Campaign, IsPartialWhenStopped) {
  Campaigning campaign;
  campaign.stop = true;
  campaign.run(plan_of("right", {Path::eager}));
  EXPECT_NE(campaign.result.end.state, RunState::complete);
}

TEST(Campaign, EveryCanaryIsSeen) {
  Campaigning campaign;
  campaign.options.canaries = {Canary::mismatch, Canary::fallback, Canary::refused, Canary::crash, Canary::timeout};
  campaign.run(plan_of("right", {Path::eager}));
  EXPECT_EQ(campaign.result.canaries_run, 5);
  EXPECT_EQ(campaign.result.canary_failures, std::vector<std::string>{});
  EXPECT_EQ(campaign.heard.end.canaries, "5 of 5 seen");
  EXPECT_EQ(campaign.result.end.state, RunState::complete);
}

TEST(Campaign, LeavesOutByNameWhatTheTargetCannotShow) {
  Campaigning campaign;
  campaign.options.canaries = {Canary::mismatch, Canary::refused, Canary::timeout};
  campaign.run(plan_of("right", {Path::eager}));
  EXPECT_EQ(campaign.heard.end.canaries, "3 of 3 seen, without fallback and crash");
}

TEST(Campaign, IsVoidWhenACanaryIsMissed) {
  Campaigning campaign;
  campaign.worker_arguments = {"blind"};
  campaign.options.canaries = {Canary::mismatch, Canary::fallback, Canary::refused, Canary::crash, Canary::timeout};
  campaign.run(plan_of("right", {Path::eager}));
  EXPECT_EQ(campaign.result.end.state, RunState::void_);
  EXPECT_EQ(campaign.heard.end.canaries, "2 of 5 seen");
  EXPECT_EQ(campaign.heard.end.why, "canary: mismatch was judged pass");
  EXPECT_TRUE(campaign.heard.verdicts.empty()) << "nothing is judged by a judge that is blind";
}

}  // namespace
}  // namespace neuroncheck
