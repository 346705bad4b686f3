// The error-carrying reference (reference.md sections 1 and 2): runs a case through a dispatcher backend of its own (PrivateUse2) whose tensors are
// pairs of a float64 value and an error bound. Needs torch.
#pragma once

#include "harness/bounded.h"
#include "harness/observation.h"
#include "harness/program.h"
#include "oracles/profile.h"

namespace neuroncheck::oracles {

// Registers the backend with the dispatcher; once per process, before the first evaluate.
void register_reference_backend();

// `structure` is what the plain CPU run of the same case returned; it decides dtypes and shapes. Throws std::logic_error (a harness_error) when the
// reference's own dtypes or shapes disagree with it, or when a bound comes out NaN or negative. Gradients are filled when the case takes them.
Reference evaluate(const Case& test_case, const Returned& structure, const Profile& profile);

}  // namespace neuroncheck::oracles
