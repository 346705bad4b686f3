#include "harness/placement.h"

#include <algorithm>

namespace neuroncheck {
namespace {

bool names(const std::vector<std::string>& list, const std::string& op) { return std::find(list.begin(), list.end(), op) != list.end(); }

void add_unique(std::vector<FallbackUse>& fallbacks, const std::string& op) {
  const bool known = std::any_of(fallbacks.begin(), fallbacks.end(), [&](const FallbackUse& use) { return use.op == op; });
  if (!known) fallbacks.push_back({op, 0, 0});
}

// Tracker and interposer against each other. Names are spelt too differently to be compared one by one: only whether there was any fallback is.
void cross_check_tracker(const Findings& findings, PlacementEvidence& evidence) {
  if (!findings.tracker) return;
  evidence.sources |= kTracker;
  const bool tracked = !findings.tracker->fallback.empty();
  if (tracked && findings.sighting.fallbacks.empty())
    evidence.disagreements.push_back("the tracker reports a fallback of " + findings.tracker->fallback.front() + ", the dispatcher saw none");
  if (!tracked && !findings.sighting.fallbacks.empty())
    evidence.disagreements.push_back("the dispatcher saw " + findings.sighting.fallbacks.front().op +
                                     " on the host, the tracker reports no fallback");
  for (const std::string& op : findings.tracker->fallback) {
    if (findings.sighting.fallbacks.empty()) add_unique(evidence.fallbacks, op);
  }
}

void cross_check_registration(const Findings& findings, PlacementEvidence& evidence) {
  evidence.sources |= kRegistration;
  for (const std::string& op : findings.unregistered) {
    const auto& seen = findings.sighting.fallbacks;
    if (std::none_of(seen.begin(), seen.end(), [&](const FallbackUse& use) { return use.op == op; }))
      evidence.disagreements.push_back(op + " has no kernel for the device, but the dispatcher saw no fallback of it");
  }
}

}  // namespace

PlacementEvidence conclude_eager(const Findings& findings) {
  PlacementEvidence evidence;
  evidence.sources = kInterposer;
  evidence.fallbacks = findings.sighting.fallbacks;
  cross_check_tracker(findings, evidence);
  cross_check_registration(findings, evidence);
  const bool seen_there = findings.sighting.device_kernels > 0 || (findings.tracker && !findings.tracker->executed.empty());
  const bool native = seen_there && evidence.disagreements.empty();
  evidence.placement = !evidence.fallbacks.empty() ? Placement::fallback : native ? Placement::native : Placement::unproven;
  return evidence;
}

PlacementEvidence conclude_compiled(const Findings& findings, const CompileCounters& counters) {
  PlacementEvidence evidence;
  evidence.sources = kInterposer | kCompilerCounters;
  evidence.fallbacks = findings.sighting.fallbacks;
  cross_check_tracker(findings, evidence);
  if (!evidence.fallbacks.empty()) {
    evidence.placement = Placement::fallback;
    return evidence;
  }
  const bool whole = counters.graphs > 0 && counters.graph_breaks == 0 && counters.per_op_dispatches == 0;
  const bool tracked = findings.tracker && names(findings.tracker->executed, "torch_compile");
  evidence.placement = whole && tracked ? Placement::native : Placement::unproven;
  if (tracked && !whole && counters.per_op_dispatches > 0)
    evidence.disagreements.push_back("the tracker shows a compiled graph, but kernels were dispatched one by one");
  return evidence;
}

PlacementEvidence conclude_host(Path path, const CompileCounters& counters) {
  PlacementEvidence evidence;
  evidence.sources = kHostDevice;
  evidence.placement = Placement::native;
  if (!is_compiled(path)) return evidence;
  evidence.sources |= kCompilerCounters;
  if (counters.graphs == 0 || counters.graph_breaks > 0) evidence.placement = Placement::unproven;
  return evidence;
}

}  // namespace neuroncheck
