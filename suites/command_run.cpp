#include "suites/command_run.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <sstream>
#include <thread>

#include "db/first_screen.h"
#include "db/gate.h"
#include "db/resume.h"
#include "db/store.h"
#include "harness/console.h"
#include "harness/user_error.h"
#include "oracles/judge.h"
#include "suites/campaign_setup.h"
#include "suites/installation.h"
#include "suites/selection.h"

namespace neuroncheck {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::pair<int, int> parse_shard(const std::string& text) {
  int shard = -1;
  int shards = 0;
  if (std::sscanf(text.c_str(), "%d/%d", &shard, &shards) != 2 || shard < 0 || shard >= shards) {
    throw UserError(fmt::format("--shard {}: i/n with 0 <= i < n, as in 0/4", text));
  }
  return {shard, shards};
}

std::uint64_t parse_seed(const std::string& text, std::uint64_t suite_seed) {
  if (text.empty()) return suite_seed;
  if (text == "random") return std::random_device{}();
  try {
    return std::stoull(text, nullptr, 0);
  } catch (const std::exception&) {
    throw UserError(fmt::format("--seed {}: a number, or random", text));
  }
}

std::string selection_text(const RunOptions& options) {
  std::string text;
  for (const std::string& op : options.ops) text += fmt::format("--op {} ", op);
  if (!options.dtypes.empty()) text += fmt::format("--dtype {} ", options.dtypes);
  if (!options.paths.empty()) text += fmt::format("--path {} ", options.paths);
  if (options.cases > 0) text += fmt::format("--cases {} ", options.cases);
  if (!text.empty()) text.pop_back();
  return text;
}

Plan planned(const RunOptions& options, const Target& target, const Suite& suite) {
  RunSelection selection;
  selection.ops = options.ops;
  for (const std::string& name : split(options.dtypes)) selection.dtypes.push_back(parse_dtype(name));
  for (const std::string& name : split(options.paths)) selection.paths.push_back(parse_path(name));
  if (options.cases > 0) selection.cases = options.cases;
  std::tie(selection.shard, selection.shards) = parse_shard(options.shard);
  Plan plan = make_plan(target, suite, selection);
  plan.seed = parse_seed(options.seed, suite.seed);
  plan.lane = plan.seed == suite.seed ? "frozen" : "exploring";
  plan.selection = selection_text(options);
  plan.fault = options.fault;
  plan.build["neuroncheck"] = installation().commit;
  if (!options.fault.empty()) plan.build["fault"] = options.fault;
  plan.jobs = options.jobs > 0 ? options.jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  plan.started = options.started.empty() ? utc_now() : options.started;
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  plan.host = host.data();
  return plan;
}

// Compile keys of the plan: what a device compiles anew. Cold cost per key is what facts/torchneuron.md section 16 plans with.
std::int64_t compile_keys(const Plan& plan) {
  std::int64_t keys = 0;
  for (const PlanItem& item : plan.items) {
    const auto per_dtype = std::min<std::int64_t>(plan.keys, (item.count + std::ssize(item.dtypes) - 1) / std::ssize(item.dtypes));
    keys += per_dtype * static_cast<std::int64_t>(item.selected_dtypes.size());
  }
  return keys;
}

constexpr double kColdSecondsLow = 1.0;
constexpr double kColdSecondsHigh = 10.0;

int dry_run(const Plan& plan, const RunOptions& options) {
  std::int64_t cases = 0;
  for (const PlanItem& item : plan.items) cases += item.count;
  const std::int64_t keys = compile_keys(plan);
  if (options.json) {
    const nlohmann::json object = {{"target", plan.target},     {"suite", plan.suite}, {"suite_fingerprint", plan.suite_fingerprint},
                                   {"rows", plan.items.size()}, {"cases", cases},      {"observations", planned_count(plan)},
                                   {"compile_keys", keys}};
    fmt::print("{}\n", object.dump(2));
    return 0;
  }
  fmt::print("{} on {}{}: {} rows, {} cases, {} observations, {} compile keys\n", plan.suite, plan.simulated ? "SIMULATED " : "", plan.target,
             plan.items.size(), cases, planned_count(plan), keys);
  if (!plan.simulated && plan.target == "neuron") {
    fmt::print("cold on hardware: {:.1f} to {:.1f} hours at {:.0f} to {:.0f} s per compile key\n", static_cast<double>(keys) * kColdSecondsLow / 3600,
               static_cast<double>(keys) * kColdSecondsHigh / 3600, kColdSecondsLow, kColdSecondsHigh);
  }
  return 0;
}

int terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

JudgedSet judged_of(const PlanItem& item, const std::optional<Unfinished>& unfinished) {
  JudgedSet judged;
  if (!unfinished) return judged;
  for (std::int64_t n = item.first; n < item.first + item.count; ++n) {
    for (const Path path : item.paths) {
      if (unfinished->done.contains(item.row, n, path)) judged.emplace(n, path);
    }
  }
  return judged;
}

int exit_code(const CampaignResult& result, const Database& database, std::int64_t run, const RunOptions& options) {
  if (result.end.state == RunState::void_) return 5;
  if (options.completeness_only) return result.end.state == RunState::complete ? 0 : 3;
  return gate_run(database, run).exit_code;
}

}  // namespace

int command_run(const RunOptions& options) {
  const Target target = load_target(options.target, installation().suites / "targets");
  const Suite suite = load_suite(options.suite, installation().suites);
  check_fault(target, options.fault);
  const Plan plan = planned(options, target, suite);
  if (options.dry_run) return dry_run(plan, options);

  WorkerSetup setup{options.target, options.fault, plan.seed, plan.keys, plan.jobs, std::filesystem::absolute(options.database)};
  Database database = open_database(setup.database);
  InFlightFile in_flight(in_flight_file(setup), plan.jobs);
  const Baseline baseline = baseline_of(target);
  CampaignOptions campaign_options;
  campaign_options.jobs = plan.jobs;
  campaign_options.batch = options.batch;
  if (!options.budget.empty()) campaign_options.budget_s = parse_duration_s(options.budget);
  campaign_options.canaries = canaries_of(target);

  Console console(stderr, {.terminal = ::isatty(STDERR_FILENO) == 1, .width = terminal_width()}, monotonic_s);
  std::optional<Unfinished> unfinished;
  std::unique_ptr<Store> store;
  const CampaignParts parts{
      .command = [&](int slot) { return worker_command(setup, target, slot); },
      .in_flight = in_flight,
      .baseline = baseline,
      .done = [&](const PlanItem& item) { return judged_of(item, unfinished); },
      .judge_death = [](const Died& died, Stage stage) { return oracles::judge_death(died, stage == Stage::subject || stage == Stage::batch); },
      .listeners =
          [&](const Plan& completed) {
            unfinished = find_unfinished(database, completed);
            if (unfinished && !options.quiet)
              fmt::print(stderr, "going on with the run of {}: {} are judged\n", unfinished->started, unfinished->done.size());
            store =
                std::make_unique<Store>(database, StoreOptions{monotonic_s, baseline, unfinished ? std::optional(unfinished->run) : std::nullopt});
            std::vector<Listener*> listeners = {store.get()};
            if (!options.quiet) listeners.push_back(&console);
            return listeners;
          },
      .now_s = monotonic_s,
      .stop = stop_on_signals(),
  };
  const CampaignResult result = run_campaign(plan, campaign_options, parts);
  if (!result.not_testable.empty()) throw NotTestable(result.not_testable);
  if (store == nullptr) return 3;  // interrupted before it began
  const std::int64_t run = store->run();
  store.reset();
  if (!options.quiet) fmt::print("{}", options.json ? first_screen_json(database, run) : first_screen(database, run));
  return exit_code(result, database, run, options);
}

}  // namespace neuroncheck
