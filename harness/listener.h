// Who is told what happens in a campaign: the console, the store. The campaign itself does no I/O.
#pragma once

#include <cstdint>
#include <string>

#include "harness/plan.h"
#include "harness/record.h"

namespace neuroncheck {

// An unexpected result, after its retry in a fresh worker and its shrinking.
struct Finding {
  Record record;   // the first attempt: decides the verdict
  Record minimal;  // the smallest case with the same verdict and cause
  Triage triage = Triage::first_seen;
  int retries = 0;         // runs alone in a fresh worker
  int retries_failed = 0;  // how many of them failed alike (0: batch_only or flaky)
  std::int64_t shrink_steps = 0;
  std::string repro_line;  // "neuroncheck replay ..."
};

enum class RunState : std::uint8_t { complete, partial, void_ };
std::string_view name_of(RunState state);

struct RunEnd {
  RunState state = RunState::partial;
  std::int64_t planned = 0, done = 0;
  double wall_s = 0.0;
  std::string why;       // of partial or void
  std::string canaries;  // one line on what was planted and how it was judged; empty: none were run
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void on_plan(const Plan& plan) = 0;
  virtual void on_record(const Record& record, Triage triage) = 0;
  virtual void on_finding(const Finding& finding) = 0;
  virtual void on_idle() {}  // about every 100 ms, also when nothing happens
  virtual void on_end(const RunEnd& end) = 0;
};

}  // namespace neuroncheck
