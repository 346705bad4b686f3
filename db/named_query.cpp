#include "db/named_query.h"

#include <fmt/format.h>

#include <algorithm>

#include "db/embedded_sql.h"
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

template <class T>
void bind(SQLite::Statement& statement, const std::string& name, const std::optional<T>& value) {
  if (!value) return;
  if (statement.getIndex((":" + name).c_str()) == 0) throw UserError(fmt::format("--{}: this query does not take it", name));
  statement.bind(":" + name, *value);
}

std::optional<std::int64_t> run_number(const Database& database, const std::optional<std::string>& text) {
  return text ? std::optional(resolve_run(database.handle, *text)) : std::nullopt;
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
  SQLite::Statement statement(database.handle, std::string(find_query(name).text));
  bind(statement, "target", parameters.target);
  bind(statement, "op", parameters.op ? std::optional(op_pattern(*parameters.op)) : std::nullopt);
  bind(statement, "from", run_number(database, parameters.from));
  bind(statement, "to", run_number(database, parameters.to));
  bind(statement, "run", run_number(database, parameters.run));
  Table table;
  for (int i = 0; i < statement.getColumnCount(); ++i) table.columns.emplace_back(statement.getColumnName(i));
  while (statement.executeStep()) {
    std::vector<Value>& row = table.rows.emplace_back();
    for (int i = 0; i < statement.getColumnCount(); ++i) row.push_back(value_of(statement.getColumn(i)));
  }
  return table;
}

}  // namespace neuroncheck
