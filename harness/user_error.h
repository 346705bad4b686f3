// What the user gave us is wrong: the message names file or option, key and remedy. Only main catches it (exit 2).
#pragma once

#include <stdexcept>

namespace neuroncheck {

struct UserError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The environment cannot run what was asked for: a missing package or device (exit 4).
struct NotTestable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace neuroncheck
