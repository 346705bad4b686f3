#include "db/test_runs.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>

namespace neuroncheck::test_runs {

Plan small_plan(const std::string& started) {
  Plan plan;
  plan.target = "neuron-sim";
  plan.simulated = true;
  plan.suite = "conformance";
  plan.suite_fingerprint = "00000000000000aa";
  plan.seed = 7;
  plan.build = {{"torch", "2.13.0"}, {"neuron-sim", "0.1.0"}, {"neuroncheck", "0123abcd"}};
  plan.host = "here";
  plan.jobs = 2;
  plan.started = started;
  for (const auto& [row, op, family] : {std::tuple("add", "aten::add.Tensor", "elementwise"), std::tuple("softmax", "aten::_softmax", "reduction")}) {
    PlanItem item;
    item.row = row;
    item.op = op;
    item.family = family;
    item.dtypes = {Dtype::float32, Dtype::bfloat16};
    item.selected_dtypes = {Dtype::float32, Dtype::bfloat16};
    item.paths = {Path::eager, Path::compiled};
    item.count = 4;
    plan.items.push_back(item);
  }
  return plan;
}

Record record_of(const Plan& plan, const std::string& row, std::int64_t n, Path path, const Outcome& outcome) {
  const auto item = std::find_if(plan.items.begin(), plan.items.end(), [&](const PlanItem& candidate) { return candidate.row == row; });
  Record record;
  record.position = {row, n, {}};
  record.op = item->op;
  record.dtype = item->dtypes[static_cast<std::size_t>(n) % item->dtypes.size()];
  record.path = path;
  record.verdict.kind = outcome.kind;
  record.verdict.reason = outcome.reason;
  record.verdict.cause = outcome.cause;
  record.verdict.error_ulps = 0.25 * static_cast<double>(n + 1);
  record.verdict.bound_share = 0.125 * static_cast<double>(n + 1);
  record.run_us = 12.4;
  record.evidence.placement = Placement::native;
  if (outcome.kind == VerdictKind::fallback) {
    record.evidence.placement = Placement::fallback;
    record.evidence.fallbacks = {{"aten::exp.out", 2, 64}};
  }
  if (is_compiled(path)) {
    record.compile_key = static_cast<std::uint64_t>(n % 2) + 1;
    record.counters = {1, 1, 0, 0, ""};
    record.compile_us = 1000.0;
  }
  record.case_id = fmt::format("{:016x}", (row == "add" ? 0xadd0U : 0x50f0U) + static_cast<std::uint64_t>(n));
  if (outcome.kind != VerdictKind::pass) record.case_json = fmt::format(R"({{"program":{{"inputs":[{{"dtype":"float32","sizes":[{}]}}]}}}})", n + 1);
  return record;
}

std::vector<Record> all_passed(const Plan& plan) {
  std::vector<Record> records;
  for (const PlanItem& item : plan.items) {
    for (std::int64_t n = item.first; n < item.first + item.count; ++n) {
      for (const Path path : item.paths) {
        if (is_planned(item, n, path)) records.push_back(record_of(plan, item.row, n, path));
      }
    }
  }
  return records;
}

Record& at(std::vector<Record>& records, const std::string& row, std::int64_t n, Path path) {
  return *std::find_if(records.begin(), records.end(),
                       [&](const Record& record) { return record.position.row == row && record.position.n == n && record.path == path; });
}

void set(std::vector<Record>& records, const std::string& row, std::int64_t n, Path path, const Outcome& outcome) {
  at(records, row, n, path) = record_of(small_plan(), row, n, path, outcome);
}

Baseline empty_baseline() {
  Baseline baseline;
  baseline.exists = true;
  return baseline;
}

std::int64_t store_run(Database& database, const Plan& plan, const std::vector<Record>& records, const Baseline& baseline, const Ending& ending) {
  Store store(database, {[] { return 0.0; }, baseline, std::nullopt});
  store.on_plan(plan);
  for (const Record& record : records) {
    const Triage triaged = triage(baseline, record);
    store.on_record(record, triaged);
    if (!is_unexpected(triaged)) continue;
    Finding finding;
    finding.record = record;
    finding.minimal = record;
    finding.triage = triaged;
    finding.retries = 1;
    finding.retries_failed = 1;
    finding.shrink_steps = 3;
    finding.repro_line = "neuroncheck replay " + record.case_id;
    store.on_finding(finding);
  }
  store.on_end({ending.state, planned_count(plan), static_cast<std::int64_t>(records.size()), 1.5, ending.why, ending.canaries});
  return store.run();
}

}  // namespace neuroncheck::test_runs
