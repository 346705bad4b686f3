#include "db/first_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "db/layout.h"
#include "db/run_summary.h"
#include "harness/json_fields.h"

namespace neuroncheck {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kBuildLines = 2;
constexpr std::size_t kCauses = 3;
constexpr std::size_t kLosses = 1;
constexpr std::size_t kFallbacks = 1;
constexpr std::size_t kHousekeeping = 1;

class Screen {
 public:
  Screen(const RunSummary& summary, std::filesystem::path file) : summary_(summary), file_(std::move(file)) {}

  std::string print() {
    head();
    belief();
    extent();
    counts();
    causes();
    list("lost", "", summary_.gate.losses, kLosses);
    fallbacks();
    housekeeping();
    lines_.push_back("database  " + file_.string());  // never cut: it is there to be copied
    return fmt::format("{}\n", fmt::join(lines_, "\n"));
  }

 private:
  void say(std::string_view label, std::string_view text) {
    const std::string line = fit(fmt::format("{:<10}{}", label, text), kColumns);
    lines_.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
  }

  void head() {
    const char* simulated = summary_.simulated ? "SIMULATED " : "";
    const char* verdict = summary_.gate.exit_code == 0 ? "OK" : "NOT OK";
    lines_.push_back(fit(fmt::format("{}{}: {}", simulated, verdict, summary_.gate.verdict), kColumns));
    say("target", fmt::format("{}, suite {}, run {} of {}", summary_.target, summary_.suite, summary_.run, summary_.started));
    std::string line;
    std::size_t count = 0;
    for (const auto& [key, value] : summary_.build) {
      if (key.starts_with("env ")) continue;  // settings that the target's file states; the table `build` keeps them
      const std::string item = fmt::format("{} {}", key, value);
      if (!line.empty() && line.size() + item.size() + 2 > kColumns - 10 && count + 1 < kBuildLines) {
        say(count++ == 0 ? "build" : "", fmt::format("{},", line));
        line.clear();
      }
      line += (line.empty() ? "" : ", ") + item;
    }
    if (!line.empty()) say(count == 0 ? "build" : "", line);
    if (!summary_.fault.empty()) {
      say("fault", summary_.fault + (summary_.gate.unexpected > 0 ? " is planted: wrong results are meant to be found"
                                                                  : " is planted, and NOT FOUND by these cases"));
    }
  }

  void belief() {
    say("believe", fmt::format("{}: {} planned, {} done; canaries: {}", summary_.state, with_commas(summary_.planned), with_commas(summary_.done),
                               summary_.canaries.empty() ? "none yet" : summary_.canaries));
    if (!summary_.why.empty()) say("", summary_.why);
    if (summary_.conflicts > 0) say("", counted(summary_.conflicts, "observation") + " with two different verdicts: query conflicts");
  }

  void extent() {
    say("tested", fmt::format("{}, {}, {}, {}", counted(summary_.rows, "row"), counted(summary_.ops, "op"), counted(summary_.dtypes, "dtype"),
                              counted(summary_.paths, "path")));
    say("", fmt::format("{}, {}, {}", counted(summary_.cases, "case"), counted(summary_.compile_keys, "compile key"),
                        counted(summary_.compilations, "compilation")));
    say("", fmt::format("seed {}, {} lane{}", summary_.seed, summary_.lane, summary_.selection.empty() ? ", whole suite" : ", only"));
    if (!summary_.selection.empty()) lines_.push_back("            " + summary_.selection);  // never cut: it is what to type again
  }

  void counts() {
    std::string names, now, change;
    for (std::size_t i = 0; i < kBucketNames.size(); ++i) {
      const std::int64_t difference = summary_.buckets[i] - summary_.previous_buckets[i];
      names += fmt::format("{:>10}", kBucketNames[i]);
      now += fmt::format("{:>10}", with_commas(summary_.buckets[i]));
      change += fmt::format("{:>10}", difference > 0 ? "+" + with_commas(difference) : with_commas(difference));
    }
    say("counts", names);
    say("", now);
    if (summary_.previous == 0) {
      say("change", "nothing to compare with yet");
    } else {
      say(fmt::format("vs run {}", summary_.previous), change);
    }
    if (summary_.known > 0) say("known", counted(summary_.known, "wrong or broken result") + " the baseline lists");
  }

  void causes() {
    if (summary_.causes.empty()) say("causes", "nothing wrong or broken that is not known");
    if (!summary_.causes.empty() && summary_.gate.exit_code == 0) say("accepted", "what follows: the target has no baseline, and no earlier run");
    for (std::size_t i = 0; i < std::min(kCauses, summary_.causes.size()); ++i) {
      const CauseLine& cause = summary_.causes[i];
      const std::string reason = cause.reason.empty() ? "" : " (" + cause.reason + ")";
      say(i == 0 ? "causes" : "", fmt::format("{}: {}{} {} {}", counted(cause.cells, "cell"), cause.verdict, reason, cause.an_op, cause.cause));
      if (!cause.repro.empty()) lines_.push_back("  " + repro_in(file_, cause.repro));  // never cut
    }
    if (summary_.causes.size() > kCauses) say("", fmt::format("{} more: neuroncheck query causes", summary_.causes.size() - kCauses));
  }

  void fallbacks() {
    if (summary_.previous == 0) {
      say("fallback", counted(summary_.fallback_cells, "cell") + " fell back to the CPU: neuroncheck query fallbacks");
      return;
    }
    if (summary_.new_fallbacks.empty()) say("fallback", "none new; " + counted(summary_.fallback_cells, "cell") + " as before or fewer");
    list("fallback", "new: ", summary_.new_fallbacks, kFallbacks);
  }

  void housekeeping() { list("tidy", "", summary_.housekeeping, kHousekeeping); }

  void list(std::string_view label, std::string_view prefix, const std::vector<std::string>& items, std::size_t most) {
    const std::size_t shown = std::min(most, items.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string more = i + 1 == shown && items.size() > shown ? fmt::format(" (+{})", items.size() - shown) : "";
      say(i == 0 ? label : "", fit(fmt::format("{}{}", prefix, items[i]), kColumns - 10 - more.size()) + more);
    }
  }

  const RunSummary& summary_;
  std::filesystem::path file_;
  std::vector<std::string> lines_;
};

nlohmann::json buckets_json(const std::array<std::int64_t, 7>& buckets) {
  nlohmann::json json;
  for (std::size_t i = 0; i < buckets.size(); ++i) json[kBucketNames[i]] = buckets[i];
  return json;
}

}  // namespace

std::string first_screen(const Database& database, std::int64_t run) {
  const RunSummary summary = summarise(database, run);
  return Screen(summary, database.file).print();
}

std::string first_screen_json(const Database& database, std::int64_t run) {
  const RunSummary summary = summarise(database, run);
  nlohmann::json causes = nlohmann::json::array();
  for (const CauseLine& cause : summary.causes) {
    causes.push_back({{"cells", cause.cells},
                      {"cases", cause.cases},
                      {"verdict", cause.verdict},
                      {"reason", cause.reason},
                      {"cause", cause.cause},
                      {"op", cause.an_op},
                      {"repro", cause.repro}});
  }
  nlohmann::json json = {{"schema", 1},
                         {"simulated", summary.simulated},
                         {"ok", summary.gate.exit_code == 0},
                         {"exit_code", summary.gate.exit_code},
                         {"verdict", summary.gate.verdict},
                         {"gate", summary.gate.lines},
                         {"target", summary.target},
                         {"suite", summary.suite},
                         {"run", summary.run},
                         {"started", summary.started},
                         {"state", summary.state},
                         {"why", summary.why},
                         {"build", summary.build},
                         {"fault", summary.fault},
                         {"seed", summary.seed},
                         {"lane", summary.lane},
                         {"selection", summary.selection},
                         {"canaries", summary.canaries},
                         {"planned", summary.planned},
                         {"done", summary.done},
                         {"conflicts", summary.conflicts}};
  json["tested"] = {{"rows", summary.rows},
                    {"ops", summary.ops},
                    {"dtypes", summary.dtypes},
                    {"paths", summary.paths},
                    {"cases", summary.cases},
                    {"observations", summary.done},
                    {"compile_keys", summary.compile_keys},
                    {"compilations", summary.compilations}};
  json["counts"] = buckets_json(summary.buckets);
  if (summary.previous != 0)
    json["previous"] = {{"run", summary.previous}, {"started", summary.previous_started}, {"counts", buckets_json(summary.previous_buckets)}};
  json["known"] = summary.known;
  json["unexpected"] = summary.gate.unexpected;
  json["causes"] = std::move(causes);
  json["fallback_cells"] = summary.fallback_cells;
  json["new_fallbacks"] = summary.new_fallbacks;
  json["housekeeping"] = summary.housekeeping;
  json["database"] = database.file.string();
  return dump(json) + "\n";
}

}  // namespace neuroncheck
