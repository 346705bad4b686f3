#include "db/merge.h"

#include <fmt/format.h>

#include "db/embedded_sql.h"
#include "db/series.h"
#include "db/statement.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

std::vector<std::int64_t> touched_runs(SQLite::Database& database) {
  std::vector<std::int64_t> runs;
  SQLite::Statement select(database, "SELECT new FROM run_map ORDER BY new");
  while (select.executeStep()) runs.push_back(select.getColumn(0).getInt64());
  return runs;
}

void merge_one(Database& into, const std::filesystem::path& source, MergeResult& result) {
  SQLite::Database& database = into.handle;
  execute(database, "ATTACH ? AS source", source.string());
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  const auto before = integer(database, "SELECT count(*) FROM main.result");
  database.exec(merge_sql());
  result.added += integer(database, "SELECT count(*) FROM main.result") - before;
  const std::vector<std::int64_t> runs = touched_runs(database);
  for (const std::int64_t run : runs) settle_run(database, run);
  result.runs += static_cast<std::int64_t>(runs.size());
  database.exec("DROP TABLE temp.cell_map; DROP TABLE temp.series_map; DROP TABLE temp.run_map");
  transaction.commit();
  database.exec("DETACH source");
}

}  // namespace

MergeResult merge_databases(Database& into, const std::vector<std::filesystem::path>& sources) {
  for (const auto& source : sources) {
    open_database(source, {.access = Access::read});
    if (std::filesystem::equivalent(source, into.file)) throw UserError(fmt::format("{}: cannot be merged into itself", source.string()));
  }
  MergeResult result;
  for (const auto& source : sources) merge_one(into, source, result);
  result.conflicts = integer(into.handle, "SELECT count(*) FROM conflicts");
  return result;
}

}  // namespace neuroncheck
