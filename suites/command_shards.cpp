// The three ctest entries of a conformance run: plan (fixture set-up), shards, gate (fixture clean-up); matrix.md section 4.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "db/first_screen.h"
#include "db/gate.h"
#include "db/merge.h"
#include "db/statement.h"
#include "harness/json_fields.h"
#include "harness/target.h"
#include "harness/user_error.h"
#include "suites/campaign_setup.h"
#include "suites/command_run.h"
#include "suites/commands.h"
#include "suites/installation.h"
#include "suites/suite.h"

namespace neuroncheck {
namespace {

struct SharedPlan {
  std::string target, suite, started;
  int shards = 1;
};

std::filesystem::path plan_file(const std::string& folder) { return std::filesystem::path(folder) / "plan.json"; }

std::filesystem::path shard_database(const std::string& folder, int shard) {
  return std::filesystem::path(folder) / fmt::format("shard-{:02}.db", shard);
}

SharedPlan read_plan(const std::string& folder) {
  if (!std::filesystem::exists(plan_file(folder))) {
    throw UserError(fmt::format("{}: missing; the test neuroncheck.plan writes it", plan_file(folder).string()));
  }
  return read_file(plan_file(folder), [](const nlohmann::json& json) {
    SharedPlan plan;
    JsonFields fields(json, "plan");
    fields.required("target", plan.target);
    fields.required("suite", plan.suite);
    fields.required("started", plan.started);
    fields.required("shards", plan.shards);
    fields.done();
    return plan;
  });
}

// What a command did, for people and for machines.
void say(bool json, const nlohmann::json& object, const std::string& text) { fmt::print("{}\n", json ? object.dump(2) : text); }

void remove_shards(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("shard-")) std::filesystem::remove_all(entry.path());
  }
}

// Shards that ran since the plan was made; a selection that left some out is partial.
std::vector<std::filesystem::path> started_shards(const std::string& folder, const SharedPlan& plan) {
  std::vector<std::filesystem::path> files;
  for (int shard = 0; shard < plan.shards; ++shard) {
    if (std::filesystem::exists(shard_database(folder, shard))) files.push_back(shard_database(folder, shard));
  }
  return files;
}

int gate_folder(const GateCommandOptions& options) {
  const SharedPlan plan = read_plan(options.folder);
  const std::vector<std::filesystem::path> files = started_shards(options.folder, plan);
  if (std::ssize(files) < plan.shards) {
    const std::string text = fmt::format("partial selection: {} of {} shards ran since the plan of {}; run all of `ctest -L conformance`",
                                         files.size(), plan.shards, plan.started);
    say(options.json, {{"exit_code", 3}, {"verdict", text}, {"shards_seen", files.size()}, {"shards", plan.shards}}, text);
    return 3;
  }
  Database database = open_database(std::filesystem::absolute(std::filesystem::path(options.folder) / "neuroncheck.db"));
  merge_databases(database, files);
  const std::int64_t run = resolve_run(database.handle, plan.started);
  fmt::print("{}", options.json ? first_screen_json(database, run) : first_screen(database, run));
  return gate_run(database, run).exit_code;
}

// The core that ctest allotted (RESOURCE_GROUPS neuron_core:1 with a resource specification file), else the shard's own number.
int device_core(int shard) {
  const char* allotted = std::getenv("CTEST_RESOURCE_GROUP_0_NEURON_CORE");
  int core = shard;
  if (allotted != nullptr) std::sscanf(allotted, "id:%d", &core);
  return core;
}

}  // namespace

int command_plan(const PlanOptions& options) {
  load_target(options.target, installation().suites / "targets");
  load_suite(options.suite, installation().suites);
  std::filesystem::create_directories(options.folder);
  remove_shards(options.folder);
  const nlohmann::json object = {{"target", options.target}, {"suite", options.suite}, {"started", utc_now()}, {"shards", options.shards}};
  std::ofstream stream(plan_file(options.folder));
  stream << object.dump(2) << '\n';
  if (!stream.flush()) throw UserError(fmt::format("{}: cannot be written", plan_file(options.folder).string()));
  if (options.json) fmt::print("{}\n", object.dump(2));
  return 0;
}

int command_shard(const ShardOptions& options) {
  const SharedPlan plan = read_plan(options.folder);
  if (options.shard < 0 || options.shard >= plan.shards) {
    throw UserError(fmt::format("shard {}: the plan has {}; configure again after changing the number of cores", options.shard, plan.shards));
  }
  RunOptions run;
  run.target = plan.target;
  run.suite = plan.suite;
  run.started = plan.started;
  run.shard = fmt::format("{}/{}", options.shard, plan.shards);
  run.jobs = 1;
  run.database = shard_database(options.folder, options.shard).string();
  run.first_core = device_core(options.shard);
  run.completeness_only = true;
  run.json = options.json;
  return command_run(run);
}

int command_gate(const GateCommandOptions& options) {
  if (!options.folder.empty()) return gate_folder(options);
  const Database database = open_database(options.database, {.access = Access::read});
  GateOptions gate;
  if (!options.against.empty()) gate.reference = resolve_run(database.handle, options.against);
  const std::int64_t run = resolve_run(database.handle, options.run);
  const GateResult result = gate_run(database, run, gate);
  if (options.json) {
    const nlohmann::json object = {{"exit_code", result.exit_code},           {"unexpected", result.unexpected}, {"lost_cells", result.lost_cells},
                                   {"harness_errors", result.harness_errors}, {"verdict", result.verdict},       {"lines", result.lines}};
    fmt::print("{}\n", object.dump(2));
  } else {
    const bool simulated = integer(database.handle, "SELECT simulated FROM run_of WHERE run = ?", run) != 0;
    fmt::print("{}{}\n", simulated ? "SIMULATED " : "", result.verdict);
    for (const std::string& line : result.lines) fmt::print("{}\n", line);
  }
  return result.exit_code;
}

int command_merge(const MergeOptions& options) {
  Database into = open_database(options.into);
  const std::vector<std::filesystem::path> sources(options.sources.begin(), options.sources.end());
  const MergeResult result = merge_databases(into, sources);
  say(options.json, {{"database", options.into}, {"runs", result.runs}, {"added", result.added}, {"conflicts", result.conflicts}},
      fmt::format("{}: {} runs touched, {} results added, {} conflicts", options.into, result.runs, result.added, result.conflicts));
  return 0;
}

int command_database_check(const DatabaseCheckOptions& options) {
  const Database database = open_database(options.database, {.access = Access::read});
  const std::string problem = check_integrity(database.handle);
  say(options.json, {{"database", options.database}, {"sound", problem.empty()}, {"problem", problem}},
      fmt::format("{}: {}", options.database, problem.empty() ? "sound" : problem));
  return problem.empty() ? 0 : 1;
}

int command_database_upgrade(const DatabaseCheckOptions& options) {
  if (!std::filesystem::exists(options.database)) throw UserError(options.database + ": no such database");
  open_database(options.database, {.access = Access::write});
  say(options.json, {{"database", options.database}, {"schema", kSchemaVersion}}, fmt::format("{}: schema {}", options.database, kSchemaVersion));
  return 0;
}

}  // namespace neuroncheck
