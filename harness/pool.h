// The workers of a campaign: started on demand, watched for deaths and deadlines. Knows nothing of what the requests mean.
#pragma once

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "harness/in_flight.h"
#include "harness/protocol.h"
#include "harness/worker_process.h"

namespace neuroncheck {

// A death and what the worker had announced when it came.
struct Death {
  Died how;
  InFlight during;
};

struct PoolEvent {
  int slot = 0;
  std::variant<Reply, Death> what;
};

class Pool {
 public:
  Pool(int slots, std::function<WorkerCommand(int)> command, InFlightFile& in_flight, std::function<double()> now_s);

  int size() const { return static_cast<int>(slots_.size()); }
  // Sends to a worker, starting one when the slot has none. `deadline_s`: without a new announcement for so long it is killed.
  void send(int slot, const Request& request, double deadline_s);
  // Starts a worker in a slot that has none, so that it says Ready.
  void start(int slot, double deadline_s);
  // Ends the slot's worker; the next send starts a fresh one.
  void stop(int slot);
  // Waits up to `timeout_ms` and returns what happened.
  std::vector<PoolEvent> wait(int timeout_ms);

 private:
  struct Slot {
    std::unique_ptr<WorkerProcess> worker;
    double deadline_s = 0.0;
    std::uint64_t beats = 0;
    double beat_at_s = 0.0;
    bool busy = false;
  };

  void collect(int index, std::vector<PoolEvent>& events);
  void check_deadline(int index, std::vector<PoolEvent>& events);

  std::vector<Slot> slots_;
  std::function<WorkerCommand(int)> command_;
  InFlightFile& in_flight_;
  std::function<double()> now_s_;
};

}  // namespace neuroncheck
