// All values of one observation against one reference: outputs or gradients of every step, and the inputs that the program mutates.
#pragma once

#include "harness/observation.h"
#include "harness/program.h"
#include "oracles/acceptance.h"
#include "oracles/profile.h"

namespace neuroncheck::oracles {

// Structure must agree already. Throws std::logic_error when the reference has another number of steps or outputs than the observation.
Acceptance check_values(const Reference& reference, const Returned& seen, Path path, const AcceptanceOptions& options);

// Outputs (or gradients) and inputs after every step hold the same bits.
bool same_bits(const Returned& a, const Returned& b);

// Programs that only move data: signs of zeros are judged there (where the profile's copies keep them), and subnormals are never flushed.
bool only_moves(const Program& program);

AcceptanceOptions options_for(const Program& program, Path path, const Profile& profile);

}  // namespace neuroncheck::oracles
