// From an observation to a verdict: structure, then errors, then values, then placement and compilation. No verdict is ever made elsewhere, but
// those for deaths, which the driver sees.
#pragma once

#include <functional>

#include "harness/in_flight.h"
#include "harness/observation.h"
#include "harness/program.h"
#include "harness/target.h"
#include "harness/verdict.h"
#include "oracles/profile.h"

namespace neuroncheck::oracles {

struct Question {
  const Case& test_case;
  Path path;
  const Observation& structure;                     // plain CPU run in the tested dtype, forward
  const Observation* structure_backward = nullptr;  // the same on eager_backward, when gradients are taken
  const Reference* reference;                       // null when the plain run raised
  const Observation& seen;
  const Target& target;
  const Profile& profile;
  std::function<Reference()> permissive;          // called only when a value lies outside the profile
  std::function<Reference()> partly_on_host;      // with demotion in doubt; called only when something fell back and a value lies outside
  std::function<Observation()> plain_contiguous;  // the plain CPU run with contiguous inputs; called only to tell the CPU's own numerics
  // What torch itself makes of the case in its CPU fallback or its decompositions (Witness); called only where values or strides are wrong.
  std::function<Observation()> torchs_own, torchs_own_layout;
  bool judges_the_cpu = false;  // the program holds an operator whose CPU kernel is under test, too: that has made these bits excuses nothing
  const Profile* permissive_profile = nullptr;  // what `permissive` evaluates under: its rounding and flush policy; null: those of `profile`
};

// One primary verdict, the highest rank of those that apply; the others are flags. A std::logic_error on the way is the verdict harness_error.
Verdict judge(const Question& question);

// Verdict of a death that the driver saw. In the subject's calls: timeout for a deadline, else crash. In the plain CPU run or the reference, whose
// kernels are the CPU's: skipped, but a crash of target `cpu`. In our own code: harness_error.
Verdict judge_death(const Died& died, Stage stage, const Target& target);

}  // namespace neuroncheck::oracles
