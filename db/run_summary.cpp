#include "db/run_summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "db/series.h"
#include "db/statement.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

std::array<std::int64_t, 7> buckets_of(const SQLite::Database& database, std::int64_t run) {
  std::array<std::int64_t, 7> buckets = {};
  SQLite::Statement select = prepare(
      database, "SELECT sum(native), sum(weak), sum(degraded), sum(refused), sum(wrong), sum(broken), sum(none) FROM run_cell WHERE run = ?", run);
  select.executeStep();
  for (int i = 0; i < 7; ++i) buckets[static_cast<std::size_t>(i)] = select.getColumn(i).getInt64();
  return buckets;
}

void read_run(const SQLite::Database& database, RunSummary& summary) {
  SQLite::Statement select =
      prepare(database,
              "SELECT h.target, h.suite, h.lane, h.selection, h.fault, h.seed, h.run_date, h.state, h.why, h.canaries, h.simulated, "
              "h.planned, h.done, b.settings FROM run_health h JOIN run r ON r.id = h.run JOIN build b ON b.id = r.build WHERE h.run = ?",
              summary.run);
  if (!select.executeStep()) throw UserError(fmt::format("no run {} in this database", summary.run));
  int column = 0;
  for (std::string* field : {&summary.target, &summary.suite, &summary.lane, &summary.selection, &summary.fault, &summary.seed, &summary.started,
                             &summary.state, &summary.why, &summary.canaries}) {
    *field = select.getColumn(column++).getString();
  }
  summary.simulated = select.getColumn(10).getInt() != 0;
  summary.planned = select.getColumn(11).getInt64();
  summary.done = select.getColumn(12).getInt64();
  summary.build = nlohmann::json::parse(select.getColumn(13).getString()).get<std::map<std::string, std::string>>();
}

void read_extent(const SQLite::Database& database, RunSummary& summary) {
  SQLite::Statement select =
      prepare(database,
              "SELECT count(DISTINCT c.op), count(DISTINCT c.dtype), count(DISTINCT c.path) FROM run_cell x JOIN cell c ON c.id = x.cell "
              "WHERE x.run = ?",
              summary.run);
  select.executeStep();
  summary.ops = select.getColumn(0).getInt64();
  summary.dtypes = select.getColumn(1).getInt64();
  summary.paths = select.getColumn(2).getInt64();
  summary.rows = integer(database, "SELECT count(DISTINCT row) FROM result WHERE run = ?", summary.run);
  summary.cases = integer(database, "SELECT count(*) FROM (SELECT DISTINCT row, n FROM result WHERE run = ?)", summary.run);
  summary.compile_keys = integer(database, "SELECT count(DISTINCT compile_key) FROM compilation WHERE run = ?", summary.run);
  summary.compilations = integer(database, "SELECT sum(compilations) FROM compilation WHERE run = ?", summary.run);
  summary.conflicts = integer(database, "SELECT count(*) FROM conflicts WHERE run = ?", summary.run);
}

void read_causes(const SQLite::Database& database, RunSummary& summary) {
  // Without a baseline every deviation is worth a line.
  SQLite::Statement select =
      prepare(database,
              "SELECT cells, cases, verdict, reason, cause, an_op, coalesce(repro, '') FROM causes WHERE run = ? AND (bucket IN ('wrong', "
              "'broken') AND triage NOT IN ('expected', 'improved') OR verdict = 'harness_error') "
              "ORDER BY verdict = 'harness_error' DESC, cells DESC, cases DESC, verdict, reason, cause",
              summary.run);
  while (select.executeStep()) {
    ++summary.cause_count;
    CauseLine line{select.getColumn(0).getInt64(), select.getColumn(1).getInt64(), {}, {}, {}, {}, {}};
    int column = 2;
    for (std::string* field : {&line.verdict, &line.reason, &line.cause, &line.an_op, &line.repro}) *field = select.getColumn(column++).getString();
    summary.causes.push_back(std::move(line));
  }
  summary.known =
      integer(database, "SELECT count(*) FROM errors WHERE run = ? AND bucket IN ('wrong', 'broken') AND triage = 'expected'", summary.run);
}

void read_fallbacks(const SQLite::Database& database, RunSummary& summary) {
  summary.fallback_cells = integer(database, "SELECT count(DISTINCT cell) FROM fallback WHERE run = ?", summary.run);
  if (summary.previous == 0) return;
  SQLite::Statement select =
      prepare(database,
              "SELECT op, dtype, path, host_op FROM fallbacks WHERE run = ?1 EXCEPT SELECT op, dtype, path, host_op FROM fallbacks "
              "WHERE run = ?2 ORDER BY 1, 2, 3, 4",
              summary.run, summary.previous);
  while (select.executeStep()) {
    summary.new_fallbacks.push_back(fmt::format("{} {} {} -> {}", select.getColumn(0).getString(), select.getColumn(1).getString(),
                                                select.getColumn(2).getString(), select.getColumn(3).getString()));
  }
}

void read_housekeeping(const SQLite::Database& database, RunSummary& summary) {
  SQLite::Statement select = prepare(database, "SELECT kind, op, verdict, issue FROM housekeeping WHERE run = ? ORDER BY 1, 2, 3, 4", summary.run);
  while (select.executeStep()) {
    const std::string kind = select.getColumn(0).getString();
    const std::string words = kind == "not_seen" ? "not seen any more" : kind == "past_review" ? "past its review date" : "past its end date";
    summary.housekeeping.push_back(
        fmt::format("{}: {} {} ({})", words, select.getColumn(1).getString(), select.getColumn(2).getString(), select.getColumn(3).getString()));
  }
}

}  // namespace

RunSummary summarise(const Database& database, std::int64_t run) {
  RunSummary summary;
  summary.run = run;
  read_run(database.handle, summary);
  read_extent(database.handle, summary);
  summary.buckets = buckets_of(database.handle, run);
  summary.previous = previous_run(database.handle, run);
  if (summary.previous != 0) {
    summary.previous_started = text(database.handle, "SELECT started FROM run WHERE id = ?", summary.previous);
    summary.previous_buckets = buckets_of(database.handle, summary.previous);
  }
  read_causes(database.handle, summary);
  read_fallbacks(database.handle, summary);
  read_housekeeping(database.handle, summary);
  summary.gate = gate_run(database, run);
  return summary;
}

}  // namespace neuroncheck
