#include "db/named_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "db/embedded_sql.h"
#include "db/series.h"
#include "db/statement.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

std::string first_comment(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return std::string(line.substr(line.find_first_not_of("- ")));
}

const EmbeddedQuery& find_query(const std::string& name) {
  const auto& queries = embedded_queries();
  const auto found = std::find_if(queries.begin(), queries.end(), [&](const EmbeddedQuery& query) { return query.name == name; });
  if (found != queries.end()) return *found;
  std::string known;
  for (const EmbeddedQuery& query : queries) known += fmt::format("{}{}", known.empty() ? "" : ", ", query.name);
  throw UserError(fmt::format("no query '{}'; there are: {}", name, known));
}

// "softmax" means any op with that in its name.
std::string op_pattern(const std::string& op) {
  return op.find_first_of("*?[") == std::string::npos ? "*" + op + "*" : op.find("::") == std::string::npos ? "*" + op : op;
}

bool takes(SQLite::Statement& statement, const std::string& name) { return statement.getIndex((":" + name).c_str()) != 0; }

template <class T>
void bind_value(SQLite::Statement& statement, const std::string& name, const std::optional<T>& value) {
  if (value && takes(statement, name)) statement.bind(":" + name, *value);
}

std::optional<std::int64_t> run_number(const Database& database, const std::optional<std::string>& text) {
  return text ? std::optional(resolve_run(database.handle, *text)) : std::nullopt;
}

std::optional<std::int64_t> unless_none(std::int64_t run) { return run == 0 ? std::nullopt : std::optional(run); }

enum class Which { any, complete };

std::optional<std::int64_t> newest_run(const Database& database, const std::string& target, Which which) {
  return unless_none(integer(database.handle,
                             fmt::format("SELECT r.id FROM run r JOIN series s ON s.id = r.series JOIN target t ON t.id = s.target WHERE {} AND "
                                         "(?1 = '' OR t.name = ?1) ORDER BY r.started DESC, r.id DESC LIMIT 1",
                                         which == Which::complete ? "r.position IS NOT NULL" : "true"),
                             target));
}

std::string described(const Database& database, std::int64_t run) {
  SQLite::Statement select =
      prepare(database.handle, "SELECT h.target, h.simulated, h.suite, h.selection, h.run_date, h.state FROM run_health h WHERE h.run = ?", run);
  if (!select.executeStep()) return "";
  const auto text = [&](int column) { return select.getColumn(column).getString(); };
  return fmt::format("{}{}, suite {}{}, run {} of {}{}", select.getColumn(1).getInt() != 0 ? "SIMULATED " : "", text(0), text(2),
                     text(3).empty() ? "" : ", only " + text(3), run, text(4), text(5) == "complete" ? "" : ", " + text(5));
}

// What was not said is filled in here and not in the SQL: SQLite looks for numbers it knows beforehand by index, all others by reading everything.
// Returns a line that says which runs those are.
std::string bind_runs(SQLite::Statement& statement, const Database& database, const QueryParameters& parameters) {
  const std::string target = parameters.target.value_or("");
  const auto run = run_number(database, parameters.run);
  bind_value(statement, "run", run);
  const auto chosen = run ? run : newest_run(database, target, Which::any);
  bind_value(statement, "chosen_run", chosen);
  const auto newer = parameters.to ? run_number(database, parameters.to) : newest_run(database, target, Which::complete);
  const auto older = parameters.from ? run_number(database, parameters.from)
                     : newer         ? unless_none(previous_run(database.handle, *newer))
                                     : std::nullopt;
  bind_value(statement, "newer_run", newer);
  bind_value(statement, "older_run", older);
  if (takes(statement, "newer_run") && newer) {
    if (older == newer) throw UserError(fmt::format("--from and --to are both run {}: `neuroncheck query run_health` lists the runs", *newer));
    return described(database, *newer) + (older ? fmt::format("\nagainst run {}", *older) : "\nnothing before it to compare with");
  }
  return takes(statement, "chosen_run") && chosen ? described(database, *chosen) : "";
}

void refuse_unused(SQLite::Statement& statement, const QueryParameters& parameters) {
  const auto check = [&](const char* option, const std::optional<std::string>& value, std::initializer_list<const char*> names) {
    if (value && std::none_of(names.begin(), names.end(), [&](const char* name) { return takes(statement, name); })) {
      throw UserError(fmt::format("--{}: this query does not take it", option));
    }
  };
  check("target", parameters.target, {"target", "chosen_run", "newer_run"});
  check("op", parameters.op, {"op"});
  check("from", parameters.from, {"older_run"});
  check("to", parameters.to, {"newer_run"});
  check("run", parameters.run, {"run", "chosen_run"});
}

// Why an answer about the latest runs is empty; nothing where there is such a run, or none at all.
std::string without_frozen_run(const Database& database, std::string_view sql) {
  if (first_comment(sql).find("latest run") == std::string::npos) return "";
  if (integer(database.handle, "SELECT count(*) FROM latest_run") > 0 || integer(database.handle, "SELECT count(*) FROM run") == 0) return "";
  return "no run of the frozen lane, and a latest run is one of those: `neuroncheck query run_health` lists the others";
}

Value value_of(const SQLite::Column& column) {
  if (column.isNull()) return {};
  if (column.isInteger()) return column.getInt64();
  if (column.isFloat()) return column.getDouble();
  return column.getString();
}

}  // namespace

std::vector<QueryInfo> list_queries() {
  std::vector<QueryInfo> infos;
  for (const EmbeddedQuery& query : embedded_queries()) infos.push_back({std::string(query.name), first_comment(query.text)});
  return infos;
}

Table run_named_query(const Database& database, const std::string& name, const QueryParameters& parameters) {
  const std::string_view sql = find_query(name).text;
  SQLite::Statement statement(database.handle, std::string(sql));
  refuse_unused(statement, parameters);
  bind_value(statement, "target", parameters.target);
  bind_value(statement, "op", parameters.op ? std::optional(op_pattern(*parameters.op)) : std::nullopt);
  Table table;
  table.about = bind_runs(statement, database, parameters);
  for (int i = 0; i < statement.getColumnCount(); ++i) table.columns.emplace_back(statement.getColumnName(i));
  while (statement.executeStep()) {
    std::vector<Value>& row = table.rows.emplace_back();
    for (int i = 0; i < statement.getColumnCount(); ++i) row.push_back(value_of(statement.getColumn(i)));
  }
  if (table.rows.empty() && table.about.empty()) table.about = without_frozen_run(database, sql);
  return table;
}

}  // namespace neuroncheck
