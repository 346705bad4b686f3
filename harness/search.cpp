#include "harness/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace neuroncheck {
namespace {

// Repeats for a failure that did not come back alone: a fault of one call in 50 is missed by 300 runs with a chance of 0.2 %. Compiled calls cost a
// thousand times as much: 12 of them miss it with 78 %, and such a finding is then shown as batch_only.
constexpr int kEagerRepeats = 300;
constexpr int kCompiledRepeats = 12;
// Each probe of a death costs a worker: as many probes as of a value are too many.
constexpr int kProbesPerDeath = 7;

bool is_death(VerdictKind kind) { return kind == VerdictKind::crash || kind == VerdictKind::timeout; }

}  // namespace

std::string group_of(const Record& record) { return fmt::format("{}|{}", record.op, failure_of(record)); }

std::string failure_of(const Record& record) {
  return fmt::format("{}|{}|{}|{}", is_compiled(record.path) ? "compiled" : "eager", name_of(record.verdict.kind), record.verdict.reason,
                     record.verdict.cause);
}

Search::Search(const Record& first, Triage triage, int probes)
    : first_(first),
      triage_(triage),
      minimal_(first),
      best_(first.position),
      probes_left_(is_death(first.verdict.kind) ? std::max(1, probes / kProbesPerDeath) : probes) {}

std::optional<ProbeRequest> Search::next() const {
  if (phase_ == Phase::over) return std::nullopt;
  ProbeRequest probe;
  probe.position = best_;
  if (phase_ == Phase::shrink) probe.position.children.push_back(child_);
  if (phase_ != Phase::describe) probe.paths = {first_.path};
  probe.repeat = repeat_;
  probe.wanted = name_of(first_.verdict.kind);
  return probe;
}

bool Search::same(const Verdict& verdict) const {
  return verdict.kind == first_.verdict.kind && verdict.reason == first_.verdict.reason &&
         (verdict.cause == first_.verdict.cause || is_death(verdict.kind));
}

void Search::start_shrinking(int repeat) {
  phase_ = Phase::shrink;
  repeat_ = repeat;
}

// A death leaves no text of its case behind: ask for it.
void Search::finish() { phase_ = minimal_.case_json.empty() && phase_ != Phase::describe ? Phase::describe : Phase::over; }

void Search::concluded(const Record* failing) {
  switch (phase_) {
    case Phase::alone:
      ++retries_;
      if (failing != nullptr) {
        ++retries_failed_;
        minimal_ = *failing;
        start_shrinking(1);
      } else {
        phase_ = Phase::repeated;
        repeat_ = is_compiled(first_.path) ? kCompiledRepeats : kEagerRepeats;
      }
      return;
    case Phase::repeated:
      ++retries_;
      if (failing == nullptr) {
        finish();  // batch_only or a flake: nothing to shrink alone
        return;
      }
      ++retries_failed_;
      minimal_ = *failing;
      start_shrinking(repeat_);
      return;
    case Phase::shrink:
      if (failing != nullptr) {
        best_.children.push_back(child_);
        minimal_ = *failing;
        child_ = 0;
        ++steps_;
      } else {
        ++child_;
      }
      if (--probes_left_ <= 0) finish();
      return;
    case Phase::describe:
    case Phase::over:
      phase_ = Phase::over;
      return;
  }
  throw std::logic_error("unknown phase of a search");
}

void Search::answered(const ProbeAnswer& answer) {
  if (phase_ == Phase::describe) {
    minimal_.case_json = answer.case_json;
    minimal_.case_id = answer.case_id;
  }
  if (answer.no_child) {
    finish();
    return;
  }
  for (const Record& record : answer.records) {
    if (!same(record.verdict)) continue;
    concluded(&record);
    return;
  }
  concluded(nullptr);
}

void Search::died(const Verdict& verdict) {
  if (!same(verdict)) {
    concluded(nullptr);
    return;
  }
  Record record = first_;
  record.position = next().value().position;
  record.verdict = verdict;
  record.case_json.clear();  // known by its position; whoever needs the text asks a worker for it
  concluded(&record);
}

Finding Search::finding() const {
  Finding finding;
  finding.record = first_;
  finding.minimal = minimal_;
  finding.triage = triage_;
  finding.retries = retries_;
  finding.retries_failed = retries_failed_;
  finding.shrink_steps = steps_;
  finding.repro_line =
      fmt::format("neuroncheck replay {}{}", minimal_.case_id, repeat_ > 1 && retries_failed_ > 0 ? fmt::format(" --repeat {}", repeat_) : "");
  return finding;
}

}  // namespace neuroncheck
