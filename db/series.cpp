#include "db/series.h"

#include "db/statement.h"

namespace neuroncheck {
namespace {

constexpr const char* kCounts =
    "native, weak, degraded, refused, wrong, broken, none, rigorous, estimated, state, worst_verdict, worst_ulps, worst_share, worst_row, worst_n";

struct Place {
  std::int64_t series, position;
};

void set_state(SQLite::Database& database, std::int64_t run) {
  execute(database,
          "UPDATE run SET state = (SELECT CASE WHEN max(state = 'void') THEN 'void' WHEN min(state = 'complete') AND count(*) = max(shards) THEN "
          "'complete' "
          "ELSE 'partial' END FROM shard WHERE shard.run = run.id) WHERE id = ?",
          run);
}

// Rows that hold across `position` become two, so that nothing but [position, position] covers it.
void cut(SQLite::Database& database, const Place& place) {
  const std::string copy = std::string("INSERT INTO cell_result (series, cell, first, last, ") + kCounts + ") SELECT series, cell, ?2 + 1, last, " +
                           kCounts + " FROM cell_result WHERE series = ?1 AND first <= ?2 AND last > ?2";
  execute(database, copy, place.series, place.position);
  execute(database, "UPDATE cell_result SET last = ?2 WHERE series = ?1 AND first <= ?2 AND last > ?2", place.series, place.position);
  execute(database, "DELETE FROM cell_result WHERE series = ?1 AND first = ?2", place.series, place.position);
  execute(database, "UPDATE cell_result SET last = ?2 - 1 WHERE series = ?1 AND first < ?2 AND last = ?2", place.series, place.position);
}

// Makes room at `position`: everything from there on moves up by one. By way of negative numbers, since keys are checked row by row.
void shift(SQLite::Database& database, const Place& place) {
  const std::string copy = std::string("INSERT INTO cell_result (series, cell, first, last, ") + kCounts + ") SELECT series, cell, ?2, last, " +
                           kCounts + " FROM cell_result WHERE series = ?1 AND first < ?2 AND last >= ?2";
  execute(database, copy, place.series, place.position);
  execute(database, "UPDATE cell_result SET last = ?2 - 1 WHERE series = ?1 AND first < ?2 AND last >= ?2", place.series, place.position);
  execute(database, "UPDATE cell_result SET first = -first - 1, last = last + 1 WHERE series = ?1 AND first >= ?2", place.series, place.position);
  execute(database, "UPDATE cell_result SET first = -first WHERE series = ?1 AND first < 0", place.series);
  execute(database, "UPDATE run SET position = position + 1 WHERE series = ?1 AND position >= ?2", place.series, place.position);
}

// Equal rows that touch at `position` (last = position - 1, first = position) become one.
void join(SQLite::Database& database, const Place& place) {
  const std::string equal =
      "b.series = a.series AND b.cell = a.cell AND b.first = ?2 AND (a.native, a.weak, a.degraded, a.refused, a.wrong, a.broken, a.none, "
      "a.worst_row, "
      "a.worst_n, a.state, a.worst_verdict) = (b.native, b.weak, b.degraded, b.refused, b.wrong, b.broken, b.none, b.worst_row, b.worst_n, b.state, "
      "b.worst_verdict) AND a.worst_ulps IS b.worst_ulps AND a.worst_share IS b.worst_share AND a.rigorous IS b.rigorous "
      "AND a.estimated IS b.estimated";
  execute(database, "UPDATE cell_result AS a SET last = -b.last FROM cell_result AS b WHERE a.series = ?1 AND a.last = ?2 - 1 AND " + equal,
          place.series, place.position);
  execute(database,
          "DELETE FROM cell_result AS b WHERE b.series = ?1 AND b.first = ?2 AND EXISTS (SELECT 1 FROM cell_result a WHERE a.series = b.series AND "
          "a.cell = "
          "b.cell AND a.last < 0)",
          place.series, place.position);
  execute(database, "UPDATE cell_result SET last = -last WHERE series = ?1 AND last < 0", place.series);
}

// The run has no position meanwhile: only then its results are counted (view counted_cell).
Place make_place(SQLite::Database& database, std::int64_t run) {
  Place place = {integer(database, "SELECT series FROM run WHERE id = ?", run), integer(database, "SELECT position FROM run WHERE id = ?", run)};
  if (place.position != 0) {
    cut(database, place);
    execute(database, "UPDATE run SET position = NULL WHERE id = ?", run);
    return place;
  }
  place.position = 1 + integer(database,
                               "SELECT count(*) FROM run o, run r WHERE r.id = ? AND o.series = r.series AND o.position IS NOT NULL AND "
                               "(o.started, o.uid) < (r.started, r.uid)",
                               run);
  shift(database, place);
  return place;
}

}  // namespace

void settle_run(SQLite::Database& database, std::int64_t run) {
  set_state(database, run);
  const bool complete = text(database, "SELECT state FROM run WHERE id = ?", run) == "complete";
  const bool compacted = integer(database, "SELECT NOT EXISTS (SELECT 1 FROM result WHERE run = ?)", run) != 0;
  if (!complete || compacted) return;
  const Place place = make_place(database, run);
  execute(database,
          std::string("INSERT INTO cell_result (series, cell, first, last, ") + kCounts + ") SELECT ?1, cell, ?2, ?2, " + kCounts +
              " FROM cell_of_results WHERE run = ?3",
          place.series, place.position, run);
  execute(database, "UPDATE run SET position = ? WHERE id = ?", place.position, run);
  join(database, place);
  join(database, {place.series, place.position + 1});
}

std::int64_t previous_run(const SQLite::Database& database, std::int64_t run) {
  return integer(database,
                 "SELECT o.id FROM run o, run r WHERE r.id = ? AND o.series = r.series AND o.seed = r.seed AND o.position IS NOT NULL AND "
                 "(o.started, o.uid) < (r.started, r.uid) ORDER BY o.position DESC LIMIT 1",
                 run);
}

}  // namespace neuroncheck
