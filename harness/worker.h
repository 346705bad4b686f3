// The worker's side of a campaign: draws cases, runs them on every path and has them judged. Draw, reference and judge come in as function values,
// since this room knows no other.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "harness/bounded.h"
#include "harness/in_flight.h"
#include "harness/observation.h"
#include "harness/program.h"
#include "harness/protocol.h"
#include "harness/session.h"
#include "harness/verdict.h"

namespace neuroncheck {

struct DrawnCase {
  Case test_case;
  std::string op;
  Dtype dtype = Dtype::float32;
};

// All that was seen of one case on one path.
struct Examined {
  const Case& test_case;
  Path path;
  const Observation& structure;           // plain CPU run, forward
  const Observation* structure_backward;  // plain CPU run with gradients; null when none are taken
  const Reference* reference;             // null when the plain run raised
  const Observation& seen;
};

struct WorkerParts {
  Session& plain;
  Session& subject;
  std::function<DrawnCase(const Position&)> draw;            // children are not yet followed
  std::function<bool(const Position&, const Case&)> admits;  // may this shrunk case stand for the position's row?
  std::function<Reference(const Case&, const Returned&)> refer;
  std::function<Verdict(const Examined&)> judge;
  std::function<std::string(const Case&, Path, int runs)> emit_python;
  std::function<void(const InFlight&)> announce;
  std::function<void(const Reply&)> reply;
  std::function<double()> cpu_us;  // CPU time of this process
};

// Answers one request (not QuitRequest). What drawing, reference, sessions and judge throw is our bug and becomes the verdict harness_error of the
// case at hand.
void serve(const Request& request, const WorkerParts& parts);

}  // namespace neuroncheck
