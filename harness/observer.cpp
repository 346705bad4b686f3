#include "harness/observer.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>

namespace neuroncheck {
namespace {

bool tracks(const Observer& observer) { return observer.python != nullptr && !observer.tracker_module.empty(); }

void merge_names(std::vector<std::string>& names, const std::vector<std::string>& more) {
  for (const std::string& name : more) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

}  // namespace

void Observer::start() const {
  if (tracks(*this)) python->clear_tracking(tracker_module);
  if (interposer != nullptr) interposer->start();
}

void Observer::finish() const {
  if (device.is_cpu()) return;
  const c10::impl::VirtualGuardImpl guard(device.type());
  guard.synchronizeDevice(guard.getDevice().index());
}

Findings Observer::stop() const {
  Findings findings;
  if (interposer != nullptr) findings.sighting = interposer->stop();
  if (!tracks(*this)) return findings;
  try {
    findings.tracker = python->read_tracking(tracker_module);
  } catch (const PythonRaised&) {
    // A deferred error that was reported already: the tracker stays silent.
  }
  return findings;
}

void merge(Findings& findings, const Findings& more) {
  findings.sighting.dispatches += more.sighting.dispatches;
  findings.sighting.device_kernels += more.sighting.device_kernels;
  for (const FallbackUse& use : more.sighting.fallbacks) {
    auto& known = findings.sighting.fallbacks;
    const auto found = std::find_if(known.begin(), known.end(), [&](const FallbackUse& other) { return other.op == use.op; });
    if (found == known.end()) {
      known.push_back(use);
    } else {
      found->copies += use.copies;
      found->bytes += use.bytes;
    }
  }
  if (more.tracker && !findings.tracker) findings.tracker.emplace();
  if (more.tracker) {
    merge_names(findings.tracker->executed, more.tracker->executed);
    merge_names(findings.tracker->fallback, more.tracker->fallback);
  }
  merge_names(findings.unregistered, more.unregistered);
}

}  // namespace neuroncheck
