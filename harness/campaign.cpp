#include "harness/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "harness/pool.h"
#include "harness/search.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

constexpr int kWaitMs = 100;
constexpr double kCanaryDeadlineS = 1.0;
// A compile key that killed a worker is not given another value set; a chunk that did so this often is given up on that path.
constexpr int kDeathsPerChunk = 8;
constexpr int kFailedStarts = 8;
// Programs per graph once a batch has died, so that the culprit is soon alone.
constexpr int kSmallBatch = 6;
constexpr int kLessForKnownFailures = 4;

constexpr std::array kAllCanaries{Canary::mismatch, Canary::fallback, Canary::refused, Canary::crash, Canary::timeout};

struct Chunk {
  PlanItem item;
  JudgedSet done;
  int batch = 1;
  std::map<Path, int> deaths;  // of the subject
  int failed_starts = 0;
};

// A search that is wanted; `is_new`: the first of its failure on any op.
struct Wanted {
  Record record;
  bool is_new = false;
};

class Campaign {
 public:
  Campaign(Plan plan, const CampaignOptions& options, const CampaignParts& parts)
      : plan_(std::move(plan)),
        options_(options),
        parts_(parts),
        pool_(options.jobs, parts.command, parts.in_flight, parts.now_s),
        working_(static_cast<std::size_t>(options.jobs)) {}

  CampaignResult run();

 private:
  bool open_target();
  bool once_killed(const Death& death);
  void run_canaries();
  std::string canary_line() const;
  std::optional<VerdictKind> canary_verdict(Canary canary);
  void make_chunks();
  void run_chunks();
  void run_searches();
  bool out_of_time() const { return options_.budget_s > 0 && parts_.now_s() - started_s_ > options_.budget_s; }
  bool hand_out(int slot);
  void heard(const PoolEvent& event);
  void died(Chunk& chunk, const Death& death);
  void skip_same_key(Chunk& chunk, std::int64_t n, Path path);
  void judged(Chunk* chunk, const Record& record);
  void note_unexpected(const Record& record);
  void take_up_earlier();
  void skipped(Chunk& chunk, std::int64_t n, Path path, const std::string& reason);
  void search_heard(int slot, Search& search, const PoolEvent& event);
  void idle() const;
  CampaignResult finished();

  Plan plan_;
  const CampaignOptions& options_;
  const CampaignParts& parts_;
  Pool pool_;
  std::vector<Listener*> listeners_;
  std::vector<std::optional<Chunk>> working_;
  std::deque<Chunk> waiting_;
  std::set<std::string> groups_;    // of unexpected results
  std::set<std::string> failures_;  // the same, whatever the op
  std::vector<Wanted> wanted_;
  std::set<std::tuple<std::string, std::int64_t, Stage>> killed_;
  bool searched_all_ = true;  // not when Ctrl-C came in between: the same command goes on with them
  double started_s_ = 0.0;
  std::int64_t done_ = 0;
  CampaignResult result_;
};

void Campaign::idle() const {
  for (Listener* listener : listeners_) listener->on_idle();
}

// SIGKILL comes from outside, or from the kernel when memory ran out: only what is killed again is to blame.
bool Campaign::once_killed(const Death& death) {
  return death.how.signal == SIGKILL && killed_.emplace(death.during.row, death.during.n, death.during.stage).second;
}

bool Campaign::open_target() {
  pool_.start(0, options_.deadline_s);
  while (!parts_.stop) {
    for (const PoolEvent& event : pool_.wait(kWaitMs)) {
      if (const auto* death = std::get_if<Death>(&event.what)) {
        if (once_killed(*death)) {
          pool_.start(0, options_.deadline_s);
          continue;
        }
        result_.not_testable = fmt::format("the worker died while it opened the target ({})",
                                           death->how.deadline ? "deadline" : fmt::format("signal {}", death->how.signal));
        return false;
      }
      const Reply& reply = std::get<Reply>(event.what);
      if (const auto* not_ready = std::get_if<NotReady>(&reply)) raise(*not_ready);
      if (const auto* ready = std::get_if<Ready>(&reply)) {
        for (const auto& [name, version] : ready->versions) plan_.build[name] = version;
        return true;
      }
    }
  }
  return false;
}

// What came of a known deviation that the worker planted around its session.
std::optional<VerdictKind> Campaign::canary_verdict(Canary canary) {
  const double deadline_s = canary == Canary::timeout ? kCanaryDeadlineS : options_.deadline_s;
  pool_.send(0, CanaryRequest{canary}, deadline_s);
  while (!parts_.stop) {
    for (const PoolEvent& event : pool_.wait(kWaitMs)) {
      if (const auto* death = std::get_if<Death>(&event.what)) {
        if (canary == Canary::crash || !once_killed(*death)) return parts_.judge_death(death->how, death->during.stage).kind;
        pool_.send(0, CanaryRequest{canary}, deadline_s);
        continue;
      }
      const auto* answer = std::get_if<ProbeAnswer>(&std::get<Reply>(event.what));
      if (answer != nullptr) return answer->records.at(0).verdict.kind;
    }
  }
  return std::nullopt;
}

void Campaign::run_canaries() {
  for (const Canary canary : options_.canaries) {
    if (canary == Canary::timeout) {
      // The deadline must not run while a fresh worker starts.
      pool_.stop(0);
      if (!open_target()) return;
    }
    const std::optional<VerdictKind> seen = canary_verdict(canary);
    if (!seen) return;
    ++result_.canaries_run;
    if (name_of(*seen) != name_of(canary)) {
      result_.canary_failures.push_back(fmt::format("{} was judged {}", name_of(canary), name_of(*seen)));
    }
  }
}

// "4 of 4 seen, without fallback": kinds that the target cannot show are left out by name.
std::string Campaign::canary_line() const {
  if (result_.canaries_run == 0) return "";
  const auto missed = static_cast<int>(result_.canary_failures.size());
  std::string line = fmt::format("{} of {} seen", result_.canaries_run - missed, options_.canaries.size());
  std::string_view before = ", without ";
  for (const Canary canary : kAllCanaries) {
    if (std::find(options_.canaries.begin(), options_.canaries.end(), canary) != options_.canaries.end()) continue;
    line += fmt::format("{}{}", before, name_of(canary));
    before = " and ";
  }
  return line;
}

void Campaign::make_chunks() {
  std::vector<PlanItem> items = plan_.items;
  std::stable_partition(items.begin(), items.end(), [](const PlanItem& item) { return item.crash_prone; });
  for (const PlanItem& item : items) {
    const JudgedSet done = parts_.done(item);
    done_ += static_cast<std::int64_t>(done.size());
    for (std::int64_t first = item.first; first < item.first + item.count; first += options_.chunk) {
      Chunk chunk;
      chunk.item = item;
      chunk.item.first = first;
      chunk.item.count = std::min<std::int64_t>(options_.chunk, item.first + item.count - first);
      chunk.done = {done.lower_bound({first, Path::eager}), done.lower_bound({first + chunk.item.count, Path::eager})};
      chunk.batch = options_.batch;
      waiting_.push_back(std::move(chunk));
    }
  }
}

bool Campaign::hand_out(int slot) {
  std::optional<Chunk>& working = working_[static_cast<std::size_t>(slot)];
  if (!working) {
    if (waiting_.empty() || out_of_time()) return false;
    working = std::move(waiting_.front());
    waiting_.pop_front();
  }
  ChunkRequest request{working->item, {}, working->batch};
  request.done.assign(working->done.begin(), working->done.end());
  pool_.send(slot, request, options_.deadline_s);
  return true;
}

void Campaign::judged(Chunk* chunk, const Record& record) {
  ++done_;
  if (chunk != nullptr) chunk->done.emplace(record.position.n, record.path);
  const Triage verdict_triage = triage(parts_.baseline, record);
  for (Listener* listener : listeners_) listener->on_record(record, verdict_triage);
  if (is_unexpected(verdict_triage)) note_unexpected(record);
}

// Of each group one is searched; the same failure on a further operator mostly says less: later, and with fewer probes. Two causes that look alike
// (both "value") count as one: the second is still searched, with fewer probes.
void Campaign::note_unexpected(const Record& record) {
  if (!groups_.insert(group_of(record)).second) return;
  wanted_.push_back({record, failures_.insert(failure_of(record)).second});
}

void Campaign::take_up_earlier() {
  const Earlier earlier = parts_.earlier();
  for (const Record& record : earlier.searched) {
    groups_.insert(group_of(record));
    failures_.insert(failure_of(record));
  }
  for (const Record& record : earlier.unexpected) note_unexpected(record);
}

void Campaign::skipped(Chunk& chunk, std::int64_t n, Path path, const std::string& reason) {
  Record record = planned_record(chunk.item, n, path);
  record.verdict.kind = VerdictKind::skipped;
  record.verdict.reason = reason;
  judged(&chunk, record);
}

void Campaign::skip_same_key(Chunk& chunk, std::int64_t n, Path path) {
  const bool give_up = ++chunk.deaths[path] >= kDeathsPerChunk;
  const auto period = static_cast<std::int64_t>(chunk.item.dtypes.size()) * chunk.item.keys;
  for (std::int64_t other = chunk.item.first; other < chunk.item.first + chunk.item.count; ++other) {
    const bool same_key = (other - n) % period == 0;
    if (other == n || (!same_key && !give_up)) continue;
    if (!is_planned(chunk.item, other, path) || chunk.done.contains({other, path})) continue;
    skipped(chunk, other, path, give_up ? "row_keeps_dying" : "same_key_died");
  }
}

void Campaign::died(Chunk& chunk, const Death& death) {
  const InFlight& during = death.during;
  const auto path = static_cast<Path>(during.path);
  const bool ours = during.row == chunk.item.row;
  if (!ours || during.stage == Stage::opening || during.stage == Stage::idle) {
    // Died before it began on this chunk: tried again a few times, then given up so that a worker that cannot start does not loop for ever.
    if (++chunk.failed_starts < kFailedStarts) return;
    throw NotTestable("workers keep dying before they begin; see the log beside the database");
  }
  if (during.stage == Stage::batch) {
    chunk.batch = chunk.batch > kSmallBatch ? kSmallBatch : 1;
    return;
  }
  if (once_killed(death)) return;
  const bool before_paths = during.stage == Stage::structure || during.stage == Stage::reference || during.stage == Stage::draw;
  for (const Path each : chunk.item.paths) {
    const bool concerned = before_paths ? is_planned(chunk.item, during.n, each) : each == path;
    if (!concerned || chunk.done.contains({during.n, each})) continue;
    Record record = planned_record(chunk.item, during.n, each);
    record.verdict = parts_.judge_death(death.how, during.stage);
    judged(&chunk, record);
  }
  if (!before_paths) skip_same_key(chunk, during.n, path);
}

void Campaign::heard(const PoolEvent& event) {
  std::optional<Chunk>& working = working_[static_cast<std::size_t>(event.slot)];
  if (const auto* death = std::get_if<Death>(&event.what)) {
    if (!working) return;
    died(*working, *death);
    hand_out(event.slot);
    return;
  }
  const Reply& reply = std::get<Reply>(event.what);
  if (const auto* record = std::get_if<Record>(&reply)) judged(working ? &*working : nullptr, *record);
  if (const auto* not_ready = std::get_if<NotReady>(&reply)) raise(*not_ready);
  if (std::holds_alternative<ChunkDone>(reply)) {
    working.reset();
    hand_out(event.slot);
  }
}

void Campaign::run_chunks() {
  for (int slot = 0; slot < pool_.size(); ++slot) hand_out(slot);
  const auto busy = [this] { return std::any_of(working_.begin(), working_.end(), [](const auto& chunk) { return chunk.has_value(); }); };
  while (busy() && !parts_.stop) {
    for (const PoolEvent& event : pool_.wait(kWaitMs)) heard(event);
    idle();
  }
}

void Campaign::search_heard(int slot, Search& search, const PoolEvent& event) {
  if (const auto* death = std::get_if<Death>(&event.what)) search.died(parts_.judge_death(death->how, death->during.stage));
  if (const auto* reply = std::get_if<Reply>(&event.what)) {
    const auto* answer = std::get_if<ProbeAnswer>(reply);
    if (answer == nullptr) return;  // Ready
    search.answered(*answer);
  }
  if (const std::optional<ProbeRequest> probe = search.next()) {
    if (search.wants_fresh_worker()) pool_.stop(slot);
    pool_.send(slot, *probe, options_.deadline_s);
  }
}

void Campaign::run_searches() {
  std::deque<Wanted> waiting(wanted_.begin(), wanted_.end());
  std::stable_partition(waiting.begin(), waiting.end(), [](const Wanted& wanted) { return wanted.is_new; });
  if (std::ssize(waiting) > options_.findings) waiting.resize(static_cast<std::size_t>(options_.findings));
  if (parts_.stop) {
    searched_all_ = waiting.empty();
    return;
  }
  std::vector<std::optional<Search>> searching(static_cast<std::size_t>(pool_.size()));
  const auto begin_next = [&](int slot) {
    if (waiting.empty() || out_of_time()) return;
    const Wanted wanted = std::move(waiting.front());
    waiting.pop_front();
    const int probes = wanted.is_new ? options_.shrink_probes : options_.shrink_probes / kLessForKnownFailures;
    Search& search = searching[static_cast<std::size_t>(slot)].emplace(wanted.record, triage(parts_.baseline, wanted.record), probes);
    pool_.stop(slot);
    pool_.send(slot, search.next().value(), options_.deadline_s);
  };
  for (int slot = 0; slot < pool_.size(); ++slot) begin_next(slot);
  const auto busy = [&] { return std::any_of(searching.begin(), searching.end(), [](const auto& search) { return search.has_value(); }); };
  while (busy() && !parts_.stop) {
    for (const PoolEvent& event : pool_.wait(kWaitMs)) {
      std::optional<Search>& search = searching[static_cast<std::size_t>(event.slot)];
      if (!search) continue;
      search_heard(event.slot, *search, event);
      if (search->next()) continue;
      Finding finding = search->finding();
      finding.repro_line += options_.replay_with;
      for (Listener* listener : listeners_) listener->on_finding(finding);
      search.reset();
      begin_next(event.slot);
    }
    idle();
  }
  searched_all_ = !busy() && (waiting.empty() || !parts_.stop);
}

CampaignResult Campaign::finished() {
  result_.end.planned = planned_count(plan_);
  result_.end.done = done_;
  result_.end.wall_s = parts_.now_s() - started_s_;
  const bool complete = result_.end.done == result_.end.planned && searched_all_;
  result_.end.state = !result_.canary_failures.empty() ? RunState::void_ : complete ? RunState::complete : RunState::partial;
  if (!complete) result_.end.why = parts_.stop ? "interrupted" : out_of_time() ? "budget spent" : "not all was judged";
  result_.end.canaries = canary_line();
  if (!result_.canary_failures.empty()) result_.end.why = "canary: " + result_.canary_failures.front();
  for (Listener* listener : listeners_) listener->on_end(result_.end);
  return result_;
}

CampaignResult Campaign::run() {
  started_s_ = parts_.now_s();
  if (!open_target()) return result_;
  listeners_ = parts_.listeners(plan_);
  for (Listener* listener : listeners_) listener->on_plan(plan_);
  make_chunks();
  take_up_earlier();
  run_canaries();
  if (result_.canary_failures.empty()) {
    run_chunks();
    run_searches();
  }
  return finished();
}

}  // namespace

CampaignResult run_campaign(Plan plan, const CampaignOptions& options, const CampaignParts& parts) {
  return Campaign(std::move(plan), options, parts).run();
}

}  // namespace neuroncheck
