#include "suites/command_run.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
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
#include "suites/custom_ops.h"
#include "suites/installation.h"
#include "suites/op_lists.h"
#include "suites/ready_rows.h"
#include "suites/ready_sources.h"
#include "suites/selection.h"

namespace neuroncheck {
namespace {

using Folders = std::vector<std::filesystem::path>;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

// The whole text as a number of this kind; nothing otherwise.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::pair<int, int> parse_shard(const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto shard = parse_number<int>(text.substr(0, slash)), shards = parse_number<int>(text.substr(std::min(slash + 1, text.size())));
  if (!shard || !shards || *shard < 0 || *shard >= *shards) throw UserError(fmt::format("--shard {}: i/n with 0 <= i < n, as in 0/4", text));
  return {*shard, *shards};
}

std::uint64_t parse_seed(const std::string& text, std::uint64_t suite_seed) {
  if (text.empty()) return suite_seed;
  if (text == "random") return std::random_device{}();
  if (const auto seed = parse_number<std::uint64_t>(text)) return *seed;
  throw UserError(fmt::format("--seed {}: a number below 2^64, or random", text));
}

std::string selection_text(const RunOptions& options) {
  std::string text;
  for (const std::string& op : options.ops) text += fmt::format("--op {} ", op);
  if (!options.dtypes.empty()) text += fmt::format("--dtype {} ", options.dtypes);
  if (!options.paths.empty()) text += fmt::format("--path {} ", options.paths);
  if (options.cases > 0) text += fmt::format("--cases {} ", options.cases);
  if (!options.custom.empty()) text += fmt::format("--custom {} ", options.custom);
  if (!options.fault.empty()) text += fmt::format("--fault {} ", options.fault);  // never compared with runs of the healthy device
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

// Different cases but for their values: what a device compiles anew, on any path and on the compiled ones. Rows draw the shapes of a slot and dtype
// once, so this is what a run will show, but for slots that happen to draw the same.
struct CompileKeys {
  std::int64_t any = 0, compiled = 0;
};

CompileKeys compile_keys(const Plan& plan) {
  CompileKeys keys;
  for (const PlanItem& item : plan.items) {
    std::set<std::int64_t> any, compiled;
    const std::int64_t period = std::ssize(item.dtypes) * item.keys;
    for (std::int64_t n = item.first; n < item.first + std::min(item.count, period); ++n) {
      for (const Path path : item.paths) {
        if (!is_planned(item, n, path)) continue;
        any.insert(n % period);
        if (is_compiled(path)) compiled.insert(n % period);
      }
    }
    keys.any += std::ssize(any);
    keys.compiled += std::ssize(compiled);
  }
  return keys;
}

// Cold cost per key on hardware, as facts/torchneuron.md section 16 plans with.
constexpr double kColdSecondsLow = 1.0;
constexpr double kColdSecondsHigh = 10.0;

int dry_run(const Plan& plan, const Target& target, const RunOptions& options) {
  std::int64_t cases = 0;
  for (const PlanItem& item : plan.items) cases += item.count;
  const CompileKeys keys = compile_keys(plan);
  const bool on_hardware = !target.simulated && target.evidence == "privateuse1";
  const double hours = static_cast<double>(keys.any) / 3600;
  if (options.json) {
    nlohmann::json object = {{"target", plan.target},        {"suite", plan.suite}, {"suite_fingerprint", plan.suite_fingerprint},
                             {"rows", plan.items.size()},    {"cases", cases},      {"observations", planned_count(plan)},
                             {"compile_keys", keys.compiled}};
    if (on_hardware) object["cold_hours"] = {hours * kColdSecondsLow, hours * kColdSecondsHigh};
    fmt::print("{}\n", object.dump(2));
    return 0;
  }
  fmt::print("{} on {}{}: {} rows, {} cases, {} observations, {} compile keys\n", plan.suite, plan.simulated ? "SIMULATED " : "", plan.target,
             plan.items.size(), cases, planned_count(plan), keys.compiled);
  if (on_hardware) {
    fmt::print("cold on hardware: {:.1f} to {:.1f} hours at {:.0f} to {:.0f} s for each of {} shapes, eager ones included\n", hours * kColdSecondsLow,
               hours * kColdSecondsHigh, kColdSecondsLow, kColdSecondsHigh, keys.any);
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

void check_is_a_file(const std::string& database) {
  if (!database.empty() && !std::filesystem::is_directory(database)) return;
  throw UserError(fmt::format("--db '{}': the name of a file is wanted", database));
}

// Where each worker of the call before was when it ended; empty when none was at work.
std::string what_was_in_flight(const InFlightFile& file, int slots) {
  std::string text;
  for (int slot = 0; slot < slots; ++slot) {
    const InFlight what = file.read(slot);
    if (what.row.empty()) continue;
    text += fmt::format("{}{} case {}, {} {}", text.empty() ? "; it ended at " : "; ", what.row, what.n, name_of(static_cast<Path>(what.path)),
                        name_of(what.stage));
  }
  return text;
}

int exit_code(const CampaignResult& result, const Database& database, std::int64_t run, const RunOptions& options) {
  if (result.end.state == RunState::void_) return 5;
  if (options.completeness_only) return result.end.state == RunState::complete ? 0 : 3;
  return gate_run(database, run).exit_code;
}

// What the ranges of baseline entries speak of: the version of the target's distribution, or of torch where the target is part of it.
std::string release_of(const Target& target, const Plan& completed) {
  const auto found = completed.build.find(target.distribution.empty() ? "torch" : target.distribution);
  return found == completed.build.end() ? "" : found->second;
}

CampaignOptions campaign_options_of(const RunOptions& options, const Plan& plan, const Target& target) {
  CampaignOptions campaign;
  campaign.jobs = plan.jobs;
  campaign.batch = options.batch;
  if (!options.budget.empty()) campaign.budget_s = parse_duration_s(options.budget);
  if (!options.custom.empty()) campaign.replay_with = fmt::format(" --custom {}", options.custom);
  campaign.canaries = canaries_of(target);
  return campaign;
}

WorkerSetup worker_setup(const RunOptions& options, const Plan& plan, const Folders& sources) {
  return {
      .target = options.target,
      .fault = options.fault,
      .custom = options.custom,
      .sources = {sources.begin(), sources.end()},
      .seed = plan.seed,
      .keys = plan.keys,
      .jobs = plan.jobs,
      .database = std::filesystem::absolute(options.database),
      .first_core = options.first_core,
  };
}

}  // namespace

int command_run(const RunOptions& options) {
  const Target target = load_target(options.target, installation().suites / "targets");
  add_custom_rows(options.custom);
  const Suite suite = load_suite(options.suite, installation().suites);
  const Folders sources = sources_of(suite, target, options.custom);
  add_ready_rows(sources);
  check_fault(target, options.fault);
  const Plan plan = planned(options, target, suite);
  if (options.dry_run) return dry_run(plan, target, options);

  check_is_a_file(options.database);
  const WorkerSetup setup = worker_setup(options, plan, sources);
  Database database = open_database(setup.database);
  const RunLock lock(setup);
  InFlightFile in_flight(in_flight_file(setup), plan.jobs);
  const std::string left_at = what_was_in_flight(in_flight, plan.jobs);
  Baseline baseline = baseline_of(target);
  const CampaignOptions campaign_options = campaign_options_of(options, plan, target);

  Console console(stderr, {.terminal = ::isatty(STDERR_FILENO) == 1, .width = terminal_width()}, monotonic_s);
  std::optional<Unfinished> unfinished;
  std::unique_ptr<Store> store;
  const CampaignParts parts{
      .command = [&](int slot) { return worker_command(setup, target, slot); },
      .in_flight = in_flight,
      .baseline = baseline,
      .done = [&](const PlanItem& item) { return judged_of(item, unfinished); },
      .earlier = [&] { return unfinished ? unfinished->earlier : Earlier{}; },
      .judge_death = [&](const Died& died, Stage stage) { return oracles::judge_death(died, stage, target); },
      .listeners =
          [&](const Plan& completed) {
            baseline = for_build(std::move(baseline), release_of(target, completed));
            unfinished = find_unfinished(database, completed);
            if (unfinished && !options.quiet) {
              fmt::print(stderr, "going on with the run of {}: {} are judged{}\n", unfinished->started, unfinished->done.size(), left_at);
            }
            store = std::make_unique<Store>(database,
                                            StoreOptions{monotonic_s, baseline, unfinished ? std::optional(unfinished->run) : std::nullopt,
                                                         catalogue_entries(catalogue(), installation().suites / "data", not_captured(sources))});
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
  if (options.completeness_only && !options.json) {
    fmt::print("{}shard {} of {}: {} planned, {} done{}; the gate judges\n", plan.simulated ? "SIMULATED " : "", plan.shard + 1, plan.shards,
               result.end.planned, result.end.done, result.end.why.empty() ? "" : ", " + result.end.why);
  } else if (options.json || !options.quiet) {
    fmt::print("{}", options.json ? first_screen_json(database, run) : first_screen(database, run));
  }
  return exit_code(result, database, run, options);
}

}  // namespace neuroncheck
