// The thread on which compiled graphs run: the device's own, neither a caller's nor autograd's.
#pragma once

#include <functional>

namespace neuroncheck::simulator {

// Runs `work` there and waits for it; its exception is rethrown here. One thread per process, started at first use, also after a fork.
void run_on_compute_thread(const std::function<void()>& work);

}  // namespace neuroncheck::simulator
