#include "db/gate.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "db/layout.h"
#include "db/series.h"
#include "db/statement.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

constexpr std::size_t kMostLines = 40;

struct RunFacts {
  std::string state, why, seed;
  std::int64_t planned = 0, done = 0, shards = 0, shards_seen = 0, series = 0;
  bool has_baseline = false;
};

RunFacts facts_of(const SQLite::Database& database, std::int64_t run) {
  SQLite::Statement select = prepare(database,
                                     "SELECT h.state, h.why, h.seed, h.planned, h.done, h.shards, h.shards_seen, r.series, r.has_baseline "
                                     "FROM run_health h JOIN run r ON r.id = h.run WHERE h.run = ?",
                                     run);
  if (!select.executeStep()) throw UserError(fmt::format("no run {} in this database", run));
  RunFacts facts;
  facts.state = select.getColumn(0).getString();
  facts.why = select.getColumn(1).getString();
  facts.seed = select.getColumn(2).getString();
  facts.planned = select.getColumn(3).getInt64();
  facts.done = select.getColumn(4).getInt64();
  facts.shards = select.getColumn(5).getInt64();
  facts.shards_seen = select.getColumn(6).getInt64();
  facts.series = select.getColumn(7).getInt64();
  facts.has_baseline = select.getColumn(8).getInt() != 0;
  return facts;
}

class Gate {
 public:
  Gate(const Database& database, std::int64_t run, const GateOptions& options)
      : database_(database.handle), run_(run), options_(options), facts_(facts_of(database.handle, run)) {}

  GateResult judge() {
    find_reference();
    count_harness_errors();
    if (facts_.has_baseline || options_.baseline) find_unexpected();
    if (result_.reference != 0) find_losses();
    check_completeness();
    conclude();
    return std::move(result_);
  }

 private:
  void say(std::string line) {
    if (result_.lines.size() < kMostLines) result_.lines.push_back(std::move(line));
  }

  void find_reference() {
    result_.reference = options_.reference ? *options_.reference : previous_run(database_, run_);
    if (result_.reference == 0) {
      say(facts_.has_baseline ? "first run: it is the reference for coverage from now on"
                              : "first run, no baseline: it is the reference for everything from now on");
      return;
    }
    const RunFacts reference = facts_of(database_, result_.reference);
    if (reference.series != facts_.series) {
      throw UserError(fmt::format("run {} cannot be compared with run {}: another target, suite, lane or selection", run_, result_.reference));
    }
    if (reference.seed == facts_.seed) return;
    say(fmt::format("coverage is not compared: run {} drew from another seed", result_.reference));
    result_.reference = 0;
  }

  void count_harness_errors() {
    result_.harness_errors = integer(database_, "SELECT count(*) FROM result WHERE run = ? AND verdict = 'harness_error'", run_);
    SQLite::Statement select = prepare(
        database_, "SELECT op, cause, count(*) FROM errors WHERE run = ? AND verdict = 'harness_error' GROUP BY op, cause ORDER BY 3 DESC", run_);
    while (select.executeStep()) {
      say(fmt::format("harness error: {} in {} cases: {}", select.getColumn(0).getString(), select.getColumn(2).getInt64(),
                      select.getColumn(1).getString()));
    }
  }

  bool is_listed(SQLite::Statement& row) const {
    if (!options_.baseline) return row.getColumn(5).getInt() == 0;
    Record record;
    record.op = row.getColumn(0).getString();
    record.dtype = parse_dtype(row.getColumn(1).getString());
    record.path = parse_path(row.getColumn(2).getString());
    record.verdict.kind = parse_verdict_kind(row.getColumn(3).getString());
    record.verdict.reason = row.getColumn(4).getString();
    record.verdict.error_ulps = row.getColumn(6).getDouble();
    record.input_classes = nlohmann::json::parse(row.getColumn(7).getString()).get<std::vector<InputClass>>();
    return !is_unexpected(triage(*options_.baseline, record));
  }

  void find_unexpected() {
    SQLite::Statement select =
        prepare(database_,
                "SELECT e.op, e.dtype, e.path, e.verdict, e.reason, e.triage NOT IN ('expected', 'improved'), coalesce(e.error_ulps, 9e999), "
                "coalesce(nullif(t.input_classes, ''), '[]') FROM errors e LEFT JOIN test_case t ON t.case_id = e.case_id "
                "WHERE e.run = ? AND e.bucket IN ('wrong', 'broken')",
                run_);
    std::map<std::string, std::int64_t> groups;
    while (select.executeStep()) {
      if (is_listed(select)) continue;
      ++result_.unexpected;
      const std::string reason = select.getColumn(4).getString();
      ++groups[fmt::format("{} {} {} {}{}", select.getColumn(0).getString(), select.getColumn(1).getString(), select.getColumn(2).getString(),
                           select.getColumn(3).getString(), reason.empty() ? "" : " (" + reason + ")")];
    }
    for (const auto& [group, cases] : groups) say(fmt::format("unexpected: {}, {} {}", group, cases, cases == 1 ? "case" : "cases"));
  }

  // A cell is lost when its state is worse, or when fewer of the same cases are native. Wrong and broken ones count here only where no baseline lists
  // them.
  void find_losses() {
    const bool listed = facts_.has_baseline || options_.baseline;
    SQLite::Statement select =
        prepare(database_,
                "SELECT k.op, k.dtype, k.path, b.state, a.state, b.native, a.native FROM run_cell a JOIN run_cell b ON b.cell = a.cell JOIN cell_of "
                "k ON k.cell = "
                "a.cell JOIN state_severity sa ON sa.state = a.state JOIN state_severity sb ON sb.state = b.state WHERE a.run = ?1 AND b.run = ?2 "
                "AND (sa.severity > sb.severity OR (sa.severity = sb.severity AND a.native < b.native AND a.weak + a.degraded + a.refused + a.none > "
                "b.weak + b.degraded + b.refused + b.none)) AND (a.state NOT IN ('wrong', 'broken') OR NOT ?3) AND a.state <> 'harness_error' "
                "ORDER BY k.op, k.dtype, k.path",
                run_, result_.reference, listed ? 1 : 0);
    while (select.executeStep()) {
      ++result_.lost_cells;
      const std::string loss = fmt::format("{} {} {}: {} -> {} ({} -> {} native cases)", select.getColumn(0).getString(),
                                           select.getColumn(1).getString(), select.getColumn(2).getString(), select.getColumn(3).getString(),
                                           select.getColumn(4).getString(), select.getColumn(5).getInt64(), select.getColumn(6).getInt64());
      result_.losses.push_back(loss);
      say("lost: " + loss);
    }
  }

  void check_completeness() {
    if (facts_.shards_seen < facts_.shards) say(fmt::format("partial selection: {} of {} shards", facts_.shards_seen, facts_.shards));
    if (facts_.state == "partial") {
      say(fmt::format("incomplete: {} of {} done{}", facts_.done, facts_.planned, facts_.why.empty() ? "" : " (" + facts_.why + ")"));
    }
    if (facts_.state == "void") say("void: " + facts_.why);
  }

  void conclude() {
    const std::int64_t deviations = result_.unexpected + result_.lost_cells;
    if (facts_.state == "void") {
      result_.exit_code = 5;
      result_.verdict = "void: nothing here can be believed";
    } else if (result_.harness_errors > 0) {
      result_.exit_code = 5;
      result_.verdict = counted(result_.harness_errors, "harness error");
    } else if (deviations > 0) {
      result_.exit_code = 1;
      result_.verdict = counted(result_.unexpected, "unexpected result") + ", " + counted(result_.lost_cells, "cell") + " lost";
    } else if (facts_.state == "partial") {
      result_.exit_code = 3;
      result_.verdict = "incomplete";
    } else {
      result_.verdict = "nothing unexpected";
    }
  }

  const SQLite::Database& database_;
  std::int64_t run_;
  const GateOptions& options_;
  RunFacts facts_;
  GateResult result_;
};

}  // namespace

GateResult gate_run(const Database& database, std::int64_t run, const GateOptions& options) { return Gate(database, run, options).judge(); }

}  // namespace neuroncheck
