#include "harness/pool.h"

#include <poll.h>

namespace neuroncheck {

Pool::Pool(int slots, std::function<WorkerCommand(int)> command, InFlightFile& in_flight, std::function<double()> now_s)
    : slots_(static_cast<std::size_t>(slots)), command_(std::move(command)), in_flight_(in_flight), now_s_(std::move(now_s)) {}

void Pool::start(int index, double deadline_s) {
  Slot& slot = slots_[static_cast<std::size_t>(index)];
  if (!slot.worker) {
    InFlight opening;
    opening.stage = Stage::opening;
    in_flight_.announce(index, opening);
    slot.worker = std::make_unique<WorkerProcess>(command_(index));
  }
  slot.deadline_s = deadline_s;
  slot.beats = in_flight_.read(index).beats;
  slot.beat_at_s = now_s_();
  slot.busy = true;
}

void Pool::send(int index, const Request& request, double deadline_s) {
  start(index, deadline_s);
  // A worker that is gone shows itself as closed in the next wait().
  slots_[static_cast<std::size_t>(index)].worker->send(encode(request));
}

void Pool::stop(int index) {
  Slot& slot = slots_[static_cast<std::size_t>(index)];
  slot.worker.reset();
  slot.busy = false;
}

void Pool::collect(int index, std::vector<PoolEvent>& events) {
  Slot& slot = slots_[static_cast<std::size_t>(index)];
  bool closed = false;
  for (const std::string& line : slot.worker->receive(closed)) {
    Reply reply = decode_reply(line);
    if (!std::holds_alternative<Record>(reply)) slot.busy = false;
    events.push_back({index, std::move(reply)});
  }
  if (!closed) return;
  const Died how = slot.worker->reap();
  stop(index);
  events.push_back({index, Death{how, in_flight_.read(index)}});
}

void Pool::check_deadline(int index, std::vector<PoolEvent>& events) {
  Slot& slot = slots_[static_cast<std::size_t>(index)];
  if (!slot.worker || !slot.busy) return;
  const InFlight now_doing = in_flight_.read(index);
  if (now_doing.beats != slot.beats) {
    slot.beats = now_doing.beats;
    slot.beat_at_s = now_s_();
  }
  if (now_s_() - slot.beat_at_s < slot.deadline_s) return;
  const Died how = slot.worker->kill_for_deadline();
  stop(index);
  events.push_back({index, Death{how, now_doing}});
}

std::vector<PoolEvent> Pool::wait(int timeout_ms) {
  std::vector<pollfd> descriptors;
  std::vector<int> owners;
  for (int i = 0; i < size(); ++i) {
    const Slot& slot = slots_[static_cast<std::size_t>(i)];
    if (!slot.worker) continue;
    descriptors.push_back({slot.worker->read_descriptor(), POLLIN, 0});
    owners.push_back(i);
  }
  ::poll(descriptors.data(), descriptors.size(), timeout_ms);
  std::vector<PoolEvent> events;
  for (std::size_t k = 0; k < owners.size(); ++k) {
    if ((descriptors[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0) collect(owners[k], events);
  }
  for (int i = 0; i < size(); ++i) check_deadline(i, events);
  return events;
}

}  // namespace neuroncheck
