// Where did it run? For devices behind the PrivateUse1 key: a dispatcher interposer sees every device kernel, every entry into the CPU fallback,
// every copy, and every host kernel. Host work is a CPU kernel, on the caller's or an autograd thread, whose input came from an observed
// device-to-host copy, or was made from such an input. Views, factories and plain copies are not work.
// Blind to what happens below the dispatcher: host work and copies inside a vendor's runtime. Strict mode is not used as a source: it costs a second
// run of every case and concerns only fallbacks that the interposer sees.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/observation.h"
#include "harness/program.h"

namespace neuroncheck {

// What the interposer saw in one window.
struct Sighting {
  std::vector<FallbackUse> fallbacks;  // merged by op
  int dispatches = 0;                  // compute kernels entered from outside any other kernel
  int device_kernels = 0;              // kernels of the device entered from outside any other, those that only move or describe data included
};

// Registered once per worker, since it wraps kernels of every op; outside of start() .. stop() it only passes through.
class Interposer {
 public:
  Interposer();
  ~Interposer();
  Interposer(const Interposer&) = delete;
  Interposer& operator=(const Interposer&) = delete;

  void start();  // this thread and the autograd threads that work for it are watched
  Sighting stop();

  // Ops of the program that had neither a device kernel nor a composite one when the wrapping was done: they enter the backend's fallback.
  std::vector<std::string> unregistered_ops(const Program& program) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The vendor's op tracking: unique names, no counts.
struct TrackerReading {
  std::vector<std::string> executed, fallback;
};

struct Findings {
  Sighting sighting;
  std::optional<TrackerReading> tracker;  // none where Python is not up
  std::vector<std::string> unregistered;
};

// Native only when a kernel of the device was seen, or the tracker names an op that ran there, nothing fell back, and no source disagrees.
PlacementEvidence conclude_eager(const Findings& findings);
// Native only when the compiler counted graphs and no breaks, the tracker shows a compiled graph, and no kernel was seen one by one.
PlacementEvidence conclude_compiled(const Findings& findings, const CompileCounters& counters);
// Devices that are the host: eager is native by definition, compiled when the whole graph was compiled.
PlacementEvidence conclude_host(Path path, const CompileCounters& counters);

}  // namespace neuroncheck
