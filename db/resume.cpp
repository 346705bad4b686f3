#include "db/resume.h"

#include <nlohmann/json.hpp>

#include "db/fingerprint.h"
#include "db/statement.h"

namespace neuroncheck {
namespace {

// As much of each as a search begins with.
std::vector<Record> stored_unexpected(const SQLite::Database& database, std::int64_t run) {
  SQLite::Statement select =
      prepare(database, "SELECT row, n, op, dtype, path, verdict, reason, cause FROM unexpected WHERE run = ? ORDER BY row, n, path", run);
  std::vector<Record> records;
  while (select.executeStep()) {
    const auto text = [&](int column) { return select.getColumn(column).getString(); };
    Record& record = records.emplace_back();
    record.position = {text(0), select.getColumn(1).getInt64(), {}};
    record.op = text(2);
    record.dtype = parse_dtype(text(3));
    record.path = parse_path(text(4));
    record.verdict.kind = parse_verdict_kind(text(5));
    record.verdict.reason = text(6);
    record.verdict.cause = text(7);
  }
  return records;
}

}  // namespace

void DoneSet::add(const std::string& row, std::int64_t n, Path path) {
  if (rows_[row].emplace(n, path).second) ++size_;
}

bool DoneSet::contains(const std::string& row, std::int64_t n, Path path) const {
  const auto found = rows_.find(row);
  return found != rows_.end() && found->second.contains({n, path});
}

std::string plan_fingerprint(const Plan& plan) {
  nlohmann::json json = plan;
  for (const char* key : {"started", "host", "jobs"}) json.erase(key);
  return fingerprint(json);
}

std::optional<Unfinished> find_unfinished(const Database& database, const Plan& plan) {
  SQLite::Statement find = prepare(database.handle,
                                   "SELECT r.id, r.started FROM shard h JOIN run r ON r.id = h.run WHERE h.plan_fingerprint = ? AND h.shard = ? "
                                   "AND h.state = 'partial' AND r.state = 'partial' ORDER BY r.started DESC, r.id DESC LIMIT 1",
                                   plan_fingerprint(plan), plan.shard);
  if (!find.executeStep()) return std::nullopt;
  Unfinished unfinished{find.getColumn(0).getInt64(), find.getColumn(1).getString(), {}, {}};
  SQLite::Statement done = prepare(database.handle,
                                   "SELECT w.name, x.n, c.path FROM result x JOIN catalogue_row w ON w.id = x.row JOIN cell c ON c.id = x.cell "
                                   "WHERE x.run = ?",
                                   unfinished.run);
  while (done.executeStep())
    unfinished.done.add(done.getColumn(0).getString(), done.getColumn(1).getInt64(), parse_path(done.getColumn(2).getString()));
  unfinished.earlier.unexpected = stored_unexpected(database.handle, unfinished.run);
  SQLite::Statement findings = prepare(database.handle, "SELECT record FROM finding WHERE run = ? ORDER BY id", unfinished.run);
  while (findings.executeStep()) unfinished.earlier.searched.push_back(nlohmann::json::parse(findings.getColumn(0).getString()).get<Record>());
  return unfinished;
}

}  // namespace neuroncheck
