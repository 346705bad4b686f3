// What can be tested, and with what: `ops`, `targets`, `query`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>

#include "db/named_query.h"
#include "harness/pool.h"
#include "harness/target.h"
#include "harness/temporary_folder.h"
#include "harness/user_error.h"
#include "suites/campaign_setup.h"
#include "suites/commands.h"
#include "suites/custom_ops.h"
#include "suites/installation.h"
#include "suites/op_lists.h"
#include "suites/ready_rows.h"
#include "suites/ready_sources.h"
#include "suites/selection.h"

namespace neuroncheck {
namespace {

template <class Word>
std::vector<std::string_view> names_of(const std::vector<Word>& words) {
  std::vector<std::string_view> names;
  names.reserve(words.size());
  for (const Word word : words) names.push_back(name_of(word));
  return names;
}

struct Testable {
  bool yes = false;
  std::string why;
  std::map<std::string, std::string> versions;
};

constexpr double kOpenDeadlineS = 60.0;

// Opens the target in a worker and asks for its versions.
Testable probe_target(const Target& target, const std::string& name, const std::filesystem::path& folder) {
  WorkerSetup setup;
  setup.target = name;
  setup.database = folder / ("probe-" + name);
  InFlightFile in_flight(in_flight_file(setup), 1);
  Pool pool(
      1, [&](int slot) { return worker_command(setup, target, slot); }, in_flight, monotonic_s);
  pool.start(0, kOpenDeadlineS);
  for (;;) {
    for (const PoolEvent& event : pool.wait(100)) {
      if (std::holds_alternative<Death>(event.what)) return {false, "the worker died while it opened the target", {}};
      const Reply& reply = std::get<Reply>(event.what);
      if (const auto* ready = std::get_if<Ready>(&reply)) return {true, "", ready->versions};
      if (const auto* not_ready = std::get_if<NotReady>(&reply)) return {false, not_ready->why, {}};
    }
  }
}

Table query_table() {
  Table table;
  table.columns = {"query", "answers"};
  for (const QueryInfo& query : list_queries()) table.rows.push_back({query.name, query.answers});
  return table;
}

// Ops of the lists without a row: first those without a reason, which want one or the other.
int print_missing(const OpsOptions& options) {
  nlohmann::json list = nlohmann::json::array();
  const std::vector<CatalogueEntry> entries = catalogue_entries(catalogue(), installation().suites / "data");
  int listed = 0, untestable = 0, missing = 0;
  for (const CatalogueEntry& entry : entries) {
    listed += entry.lists.empty() ? 0 : 1;
    untestable += entry.untestable.empty() ? 0 : 1;
    missing += entry.missing() ? 1 : 0;
  }
  for (const bool reasoned : {false, true}) {
    for (const CatalogueEntry& entry : entries) {
      if (entry.rows > 0 || entry.untestable.empty() == reasoned) continue;
      const std::string reason = reasoned ? entry.untestable : "no row yet";
      list.push_back({{"op", entry.op}, {"lists", entry.lists}, {"untestable", reasoned}, {"reason", reason}});
      if (!options.json) fmt::print("{:44} {}\n", entry.op, reason);
    }
  }
  if (options.json) {
    fmt::print("{}\n", list.dump(2));
  } else {
    fmt::print("{} ops on the lists: {} have rows, {} cannot be tested, {} have no row yet\n", listed, listed - untestable - missing, untestable,
               missing);
  }
  return 0;
}

}  // namespace

int command_ops(const OpsOptions& options) {
  if (options.missing) return print_missing(options);
  add_custom_rows(options.custom);
  const Suite suite = load_suite(options.suite, installation().suites);
  if (!suite.sources.empty()) add_ready_rows(sources_of(suite, load_target(options.target, installation().suites / "targets"), options.custom));
  nlohmann::json list = nlohmann::json::array();
  std::int64_t shown = 0;
  for (const Row* row : rows_of(suite)) {
    if (!options.glob.empty() && !matches(*row, options.glob)) continue;
    ++shown;
    if (options.json) {
      list.push_back({{"row", row->name},
                      {"op", row->op},
                      {"family", row->family},
                      {"dtypes", names_of(row->dtypes)},
                      {"oracle", name_of(row->strength)},
                      {"gradients", row->differentiable},
                      {"compiled", row->compiles},
                      {"invalid_arguments", row->invalid},
                      {"tags", row->tags}});
    } else {
      fmt::print("{:32} {:13} {:10} {}\n", row->name, row->family, name_of(row->strength), fmt::join(names_of(row->dtypes), " "));
    }
  }
  if (shown == 0) throw UserError(fmt::format("no row matches '{}': `neuroncheck ops` lists all", options.glob));
  if (options.json) {
    fmt::print("{}\n", list.dump(2));
  } else {
    fmt::print("{} rows; columns: row, family, strength of the oracle, dtypes\n", shown);
  }
  return 0;
}

int command_targets(const TargetsOptions& options) {
  const TemporaryFolder folder;
  nlohmann::json list = nlohmann::json::array();
  for (const std::string& name : target_names(installation().suites / "targets")) {
    Target target;
    Testable testable;
    try {
      target = load_target(name, installation().suites / "targets");
      testable = probe_target(target, name, folder.path());
    } catch (const UserError& error) {
      testable.why = error.what();  // the others are still worth a line
    }
    if (options.json) {
      list.push_back({{"target", name},
                      {"simulated", target.simulated},
                      {"testable", testable.yes},
                      {"why_not", testable.why},
                      {"install", target.install},
                      {"paths", names_of(target.paths)},
                      {"versions", testable.versions},
                      {"faults", target.faults}});
      continue;
    }
    fmt::print("{:12} {}{}\n", name, testable.yes ? "testable" : "NOT testable", target.simulated ? ", SIMULATED" : "");
    if (testable.yes) fmt::print("             paths {}\n", fmt::join(names_of(target.paths), ", "));
    if (!testable.yes) fmt::print("             {}\n", testable.why);
  }
  if (options.json) fmt::print("{}\n", list.dump(2));
  return 0;
}

int command_query(const QueryOptions& options) {
  const TableFormat format = parse_table_format(options.format);
  if (options.name.empty()) {
    fmt::print("{}", print(query_table(), format));
    return 0;
  }
  const auto given = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
  const Database database = open_database(options.database, {.access = Access::read});
  const Table table =
      run_named_query(database, options.name, {given(options.target), given(options.op), given(options.from), given(options.to), given(options.run)});
  fmt::print("{}", print(table, format));
  return 0;
}

}  // namespace neuroncheck
