// replay: one case again, in a fresh worker; or as a Python script that needs torch and the plug-in alone.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "db/finding_text.h"
#include "harness/json_fields.h"
#include "harness/pool.h"
#include "harness/program.h"
#include "harness/target.h"
#include "harness/temporary_folder.h"
#include "harness/user_error.h"
#include "oracles/judge.h"
#include "suites/campaign_setup.h"
#include "suites/commands.h"
#include "suites/installation.h"

namespace neuroncheck {
namespace {

constexpr double kDeadlineS = 300.0;

std::string case_in_file(const std::string& file) {
  return read_file(file, [](const nlohmann::json& json) { return canonical_json(json.get<Case>()); });
}

// The case to run; options that were not given become what a stored case failed with.
std::string resolve(ReplayOptions& options) {
  if (std::filesystem::is_regular_file(options.what)) return case_in_file(options.what);
  const Database database = open_database(options.database, {.access = Access::read});
  const std::optional<StoredCase> stored = stored_case(database, options.what);
  if (!stored) {
    throw UserError(fmt::format("{}: neither a file nor the id of a case in {}; choose the database with --db", options.what, options.database));
  }
  if (options.target.empty()) options.target = stored->target;
  if (options.fault.empty() && options.target == stored->target) options.fault = stored->fault;
  if (options.fault == "none") options.fault.clear();
  if (options.path.empty()) options.path = stored->path;
  return stored->json;
}

std::vector<Path> paths_of(const ReplayOptions& options, const Target& target, const std::string& case_json) {
  if (!options.path.empty()) return {parse_path(options.path)};
  const bool gradients = !nlohmann::json::parse(case_json).get<Case>().backward.empty();
  std::vector<Path> paths;
  for (const Path path : target.paths) {
    if (gradients || !is_backward(path)) paths.push_back(path);
  }
  return paths;
}

// One path in a worker of its own: it may die.
Record replay_path(const WorkerSetup& setup, const Target& target, ProbeRequest probe, Path path) {
  probe.paths = {path};
  InFlightFile in_flight(in_flight_file(setup), 1);
  Pool pool(
      1, [&](int slot) { return worker_command(setup, target, slot); }, in_flight, monotonic_s);
  pool.send(0, probe, kDeadlineS);
  for (;;) {
    for (const PoolEvent& event : pool.wait(100)) {
      if (const auto* death = std::get_if<Death>(&event.what)) {
        Record record;
        record.path = path;
        record.verdict = oracles::judge_death(death->how, death->during.stage, target);
        return record;
      }
      const Reply& reply = std::get<Reply>(event.what);
      if (const auto* not_ready = std::get_if<NotReady>(&reply)) raise(*not_ready);
      const auto* answer = std::get_if<ProbeAnswer>(&reply);
      if (answer != nullptr && !answer->records.empty()) return answer->records.front();
      if (answer != nullptr) throw UserError(fmt::format("the case has nothing to run on path {}", name_of(path)));
    }
  }
}

int exit_code_of(VerdictKind kind) {
  if (kind == VerdictKind::harness_error) return 5;
  switch (bucket_of(kind)) {
    case Bucket::wrong:
    case Bucket::broken:
      return 1;
    case Bucket::none:
      return 3;
    default:
      return 0;
  }
}

void print_record(const Record& record) {
  const Verdict& verdict = record.verdict;
  fmt::print("{:18} {}{}{}\n", name_of(record.path), name_of(verdict.kind), verdict.reason.empty() ? "" : ": " + verdict.reason,
             verdict.cause.empty() || verdict.cause == verdict.reason ? "" : "  (" + verdict.cause + ")");
  if (verdict.worst) {
    const WorstElement& worst = *verdict.worst;
    fmt::print("  {} {} at [{}]: got {}, expected {}, allowed {} .. {}\n", worst.what, worst.output, fmt::join(worst.index, ", "), worst.got,
               worst.expected, worst.low, worst.high);
  }
  fmt::print("  placement {}", name_of(record.evidence.placement));
  if (verdict.error_ulps > 0) fmt::print(", {:.3g} ulp, {:.3g} of the bound", verdict.error_ulps, verdict.bound_share);
  fmt::print("\n");
  for (const FallbackUse& use : record.evidence.fallbacks) fmt::print("  {} ran on the host: {} copies, {} bytes\n", use.op, use.copies, use.bytes);
  if (!verdict.detail.empty()) fmt::print("  {}\n", verdict.detail.substr(0, verdict.detail.find('\n')));
}

}  // namespace

int command_replay(const ReplayOptions& given) {
  ReplayOptions options = given;
  const std::string case_json = resolve(options);
  const std::string name = options.target.empty() ? "neuron-sim" : options.target;
  const Target target = load_target(name, installation().suites / "targets");
  check_fault(target, options.fault);
  const TemporaryFolder folder;
  WorkerSetup setup;
  setup.target = name;
  setup.fault = options.fault;
  setup.custom = options.custom;
  setup.database = folder.path() / "replay";

  ProbeRequest probe;
  probe.case_json = case_json;
  probe.position.row = "replay";
  probe.repeat = options.repeat;
  probe.emit = options.emit;
  const bool for_people = !options.json && options.emit.empty();
  if (for_people) fmt::print("{}{}{}\n", target.simulated ? "SIMULATED " : "", target.name, options.fault.empty() ? "" : ", fault " + options.fault);
  int code = 0;
  nlohmann::json list = nlohmann::json::array();
  for (const Path path : paths_of(options, target, case_json)) {
    const Record record = replay_path(setup, target, probe, path);
    if (options.json) list.push_back(record);
    if (for_people) print_record(record);
    if (!options.emit.empty()) {
      if (!options.json) fmt::print("{}", record.repro);
      break;
    }
    code = std::max(code, exit_code_of(record.verdict.kind));
  }
  if (options.json) fmt::print("{}\n", list.dump(2));
  return code;
}

}  // namespace neuroncheck
