// What happens to an unexpected result: once more alone in a fresh worker (adds information, never overwrites), then down its shrink tree to the
// smallest case with the same verdict and cause. A state machine over probes, so that it survives whatever the probed case does to a worker.
#pragma once

#include <optional>

#include "harness/listener.h"
#include "harness/protocol.h"
#include "harness/record.h"

namespace neuroncheck {

class Search {
 public:
  Search(const Record& first, Triage triage, int probes);

  // The next probe, or nothing when the search is over.
  std::optional<ProbeRequest> next() const;
  // True when the probe must run in a worker that has seen nothing else.
  bool wants_fresh_worker() const { return phase_ == Phase::alone || phase_ == Phase::repeated; }

  void answered(const ProbeAnswer& answer);
  // The worker died of the probe; `verdict` is the judgement of that death.
  void died(const Verdict& verdict);

  Finding finding() const;

 private:
  enum class Phase { alone, repeated, shrink, describe, over };

  bool same(const Verdict& verdict) const;
  void concluded(const Record* failing);
  void start_shrinking(int repeat);
  void finish();

  Record first_;
  Triage triage_;
  Record minimal_;
  Position best_;
  Phase phase_ = Phase::alone;
  int child_ = 0;
  int probes_left_;
  int repeat_ = 1;
  int retries_ = 0;
  int retries_failed_ = 0;
  std::int64_t steps_ = 0;
};

// Results with the same key are one group: one cause on one op and kind of path.
std::string group_of(const Record& record);
// The same failure, whatever the op.
std::string failure_of(const Record& record);

}  // namespace neuroncheck
