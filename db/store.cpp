#include "db/store.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "db/fingerprint.h"
#include "db/resume.h"
#include "db/series.h"
#include "db/statement.h"
#include "harness/json_fields.h"

namespace neuroncheck {
namespace {

// on_idle comes about every 100 ms: nothing waits longer than 250 ms.
constexpr double kFlushAfterS = 0.15;

std::string run_uid(const Plan& plan) {
  return fingerprint({plan.target, plan.build, plan.suite_fingerprint, plan.lane, plan.seed, plan.keys, plan.selection, plan.fault, plan.started});
}

void bind_text(SQLite::Statement& statement, int index, const std::string& value) {
  value.empty() ? statement.bind(index) : statement.bind(index, value);
}

void bind_id(SQLite::Statement& statement, int index, const std::optional<std::int64_t>& id) {
  id ? statement.bind(index, *id) : statement.bind(index);
}

void run_once(SQLite::Statement& statement) {
  statement.exec();
  statement.reset();
}

std::int64_t add_series(SQLite::Database& database, const Plan& plan) {
  execute(database, "INSERT OR IGNORE INTO target (name, simulated) VALUES (?, ?)", plan.target, plan.simulated ? 1 : 0);
  execute(database, "INSERT OR IGNORE INTO suite (fingerprint, name) VALUES (?, ?)", plan.suite_fingerprint, plan.suite);
  const auto target = integer(database, "SELECT id FROM target WHERE name = ?", plan.target);
  const auto suite = integer(database, "SELECT id FROM suite WHERE fingerprint = ?", plan.suite_fingerprint);
  execute(database, "INSERT OR IGNORE INTO series (target, suite, lane, selection) VALUES (?, ?, ?, ?)", target, suite, plan.lane, plan.selection);
  return integer(database, "SELECT id FROM series WHERE target = ? AND suite = ? AND lane = ? AND selection = ?", target, suite, plan.lane,
                 plan.selection);
}

std::int64_t add_build(SQLite::Database& database, const Plan& plan) {
  const nlohmann::json settings = plan.build;
  execute(database, "INSERT OR IGNORE INTO build (fingerprint, settings) VALUES (?, ?)", fingerprint(settings), dump(settings));
  return integer(database, "SELECT id FROM build WHERE fingerprint = ?", fingerprint(settings));
}

}  // namespace

struct Store::Statements {
  SQLite::Statement result, fallback, compilation;

  explicit Statements(SQLite::Database& database)
      : result(database,
               "INSERT OR IGNORE INTO result (run, row, n, cell, verdict, error_ulps, bound_share, run_us, compile_us, harness_us, flags, triage, "
               "reason, "
               "cause, detail, oracle, strength, placement, evidence, worst, test_case) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
               "?, ?, ?, ?)"),
        fallback(database,
                 "INSERT INTO fallback (run, shard, cell, host_op, copies, bytes, cases) VALUES (?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET "
                 "copies = copies + excluded.copies, bytes = bytes + excluded.bytes, cases = cases + 1"),
        compilation(
            database,
            "INSERT INTO compilation (run, shard, cell, compile_key, cases, compilations, graphs, breaks, compile_us) VALUES (?, ?, ?, ?, 1, ?, ?, "
            "?, ?) "
            "ON CONFLICT DO UPDATE SET cases = cases + 1, compilations = compilations + excluded.compilations, graphs = graphs + excluded.graphs, "
            "breaks = breaks + excluded.breaks, compile_us = compile_us + excluded.compile_us") {}
};

Store::Store(Database& database, StoreOptions options)
    : database_(database), options_(std::move(options)), ids_(database.handle), statements_(std::make_unique<Statements>(database.handle)) {}

Store::~Store() = default;

void Store::on_plan(const Plan& plan) {
  SQLite::Transaction transaction(database_.handle, SQLite::TransactionBehavior::IMMEDIATE);
  shard_ = plan.shard;
  if (options_.resume_run) {
    run_ = *options_.resume_run;
    execute(database_.handle, "UPDATE shard SET ended = 0, host = ?, jobs = ?, why = '' WHERE run = ? AND shard = ?", plan.host, plan.jobs, run_,
            shard_);
  } else {
    begin_run(plan);
  }
  for (const CatalogueEntry& entry : options_.catalogue) ids_.add_entry(entry);
  for (const PlanItem& item : plan.items) ids_.add_op(item.op, item.family);
  transaction.commit();
}

void Store::begin_run(const Plan& plan) {
  SQLite::Database& database = database_.handle;
  const std::string uid = run_uid(plan);
  execute(
      database,
      "INSERT OR IGNORE INTO run (uid, series, build, seed, keys, fault, started, has_baseline, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'partial')",
      uid, add_series(database, plan), add_build(database, plan), std::to_string(plan.seed), plan.keys, plan.fault, plan.started,
      options_.baseline.exists ? 1 : 0);
  run_ = integer(database, "SELECT id FROM run WHERE uid = ?", uid);
  execute(database,
          "INSERT OR IGNORE INTO shard (run, shard, shards, plan_fingerprint, plan, host, jobs, planned, state, ended, wall_s, why, canaries) "
          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'partial', 0, 0.0, '', '')",
          run_, plan.shard, plan.shards, plan_fingerprint(plan), dump(plan), plan.host, plan.jobs, planned_count(plan));
  write_expectations();
}

void Store::write_expectations() {
  int number = 0;
  for (const Expectation& entry : options_.baseline.entries) {
    SQLite::Statement insert =
        prepare(database_.handle,
                "INSERT OR IGNORE INTO expectation (run, number, op, dtypes, paths, input_class, builds_from, builds_to, verdict, "
                "verdict_reason, issue, reason, since, review, until, ceiling_ulps) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                run_, number++, entry.op, join_names(entry.dtypes), join_names(entry.paths),
                entry.input_class ? std::string(name_of(*entry.input_class)) : "", entry.builds_from, entry.builds_to,
                std::string(name_of(entry.verdict)), entry.verdict_reason, entry.issue, entry.reason, entry.since, entry.review, entry.until);
    if (entry.ceiling_ulps) insert.bind(16, *entry.ceiling_ulps);
    insert.exec();
  }
}

void Store::on_record(const Record& record, Triage triage) {
  if (run_ == 0) throw std::logic_error("a record before the plan");
  if (record.verdict.kind == VerdictKind::not_run) return;  // planned minus done says it
  start_waiting();
  records_.emplace_back(record, triage);
  flush_if_due();
}

void Store::on_finding(const Finding& finding) {
  if (run_ == 0) throw std::logic_error("a finding before the plan");
  start_waiting();
  findings_.push_back(finding);
  flush_if_due();
}

void Store::on_idle() { flush_if_due(); }

void Store::start_waiting() {
  if (!waiting_since_) waiting_since_ = options_.now();
}

void Store::flush_if_due() {
  if (waiting_since_ && options_.now() - *waiting_since_ >= kFlushAfterS) flush();
}

void Store::flush() {
  waiting_since_.reset();
  if (records_.empty() && findings_.empty()) return;
  SQLite::Transaction transaction(database_.handle, SQLite::TransactionBehavior::IMMEDIATE);
  for (const auto& [record, triage] : records_) write(record, triage);
  for (const Finding& finding : findings_) write(finding);
  transaction.commit();
  records_.clear();
  findings_.clear();
}

void Store::write(const Record& record, Triage triage) {
  const Verdict& verdict = record.verdict;
  const std::int64_t cell = ids_.cell(record);
  SQLite::Statement& insert = statements_->result;
  insert.clearBindings();
  insert.bind(1, run_);
  insert.bind(2, ids_.row(record));
  insert.bind(3, record.position.n);
  insert.bind(4, cell);
  insert.bind(5, std::string(name_of(verdict.kind)));
  insert.bind(6, verdict.error_ulps);
  insert.bind(7, verdict.bound_share);
  insert.bind(8, static_cast<std::int64_t>(std::llround(record.run_us)));
  insert.bind(9, static_cast<std::int64_t>(std::llround(record.compile_us)));
  insert.bind(10, static_cast<std::int64_t>(std::llround(record.harness_us)));
  if (!verdict.flags.empty()) insert.bind(11, dump(verdict.flags));
  insert.bind(17, std::string(name_of(verdict.strength)));
  if (verdict.kind != VerdictKind::pass) {
    insert.bind(12, std::string(name_of(triage)));
    bind_text(insert, 13, verdict.reason);
    bind_id(insert, 14, ids_.cause(verdict.cause));
    bind_text(insert, 15, verdict.detail);
    bind_text(insert, 16, verdict.oracle);
    insert.bind(18, std::string(name_of(record.evidence.placement)));
    insert.bind(19, static_cast<std::int64_t>(record.evidence.sources));
    if (verdict.worst) insert.bind(20, dump(nlohmann::json(verdict).at("worst")));
    bind_id(insert, 21, ids_.test_case(record));
  }
  const int added = insert.exec();
  insert.reset();
  if (added == 1) write_placement(record, cell);
}

void Store::write_placement(const Record& record, std::int64_t cell) {
  for (const FallbackUse& use : record.evidence.fallbacks) {
    SQLite::Statement& insert = statements_->fallback;
    insert.bind(1, run_);
    insert.bind(2, shard_);
    insert.bind(3, cell);
    insert.bind(4, use.op);
    insert.bind(5, use.copies);
    insert.bind(6, use.bytes);
    run_once(insert);
  }
  if (!is_compiled(record.path)) return;
  SQLite::Statement& insert = statements_->compilation;
  insert.bind(1, run_);
  insert.bind(2, shard_);
  insert.bind(3, cell);
  insert.bind(4, hex_of(record.compile_key));
  insert.bind(5, record.counters.compilations);
  insert.bind(6, record.counters.graphs);
  insert.bind(7, record.counters.graph_breaks);
  insert.bind(8, static_cast<std::int64_t>(std::llround(record.compile_us)));
  run_once(insert);
}

void Store::write(const Finding& finding) {
  const Record& record = finding.record;
  SQLite::Statement insert =
      prepare(database_.handle,
              "INSERT OR IGNORE INTO finding (run, row, n, cell, verdict, triage, case_id, record, minimal, retries, retries_failed, "
              "shrink_steps, repro_line, cause) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
              run_, ids_.row(record), record.position.n, ids_.cell(record), std::string(name_of(record.verdict.kind)),
              std::string(name_of(finding.triage)), finding.minimal.case_id, dump(record), dump(finding.minimal), finding.retries,
              finding.retries_failed, finding.shrink_steps, finding.repro_line);
  bind_id(insert, 14, ids_.cause(record.verdict.cause));
  insert.exec();
  ids_.test_case(finding.minimal);
}

void Store::on_end(const RunEnd& end) {
  flush();
  SQLite::Transaction transaction(database_.handle, SQLite::TransactionBehavior::IMMEDIATE);
  execute(database_.handle,
          "UPDATE shard SET planned = ?, state = ?, ended = 1, wall_s = wall_s + ?, why = ?, canaries = ? WHERE run = ? AND shard = ?", end.planned,
          std::string(name_of(end.state)), end.wall_s, end.why, end.canaries, run_, shard_);
  settle_run(database_.handle, run_);
  transaction.commit();
}

}  // namespace neuroncheck
