// A question for the judge that tests answer otherwise, one thing at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "oracles/judge.h"
#include "oracles/test_tensors.h"

namespace neuroncheck::oracles {

inline const double kNan = std::numeric_limits<double>::quiet_NaN();

// A question about relu([1, 2, 3]) that is answered rightly; each test breaks one thing.
struct Scene {
  Case test_case;
  Path path = Path::eager;
  Observation plain, seen;
  std::optional<Observation> plain_contiguous, torchs_own;
  std::optional<Reference> reference = Reference{}, permissive, partly_on_host;
  std::optional<Profile> permissive_profile;
  bool judges_the_cpu = false;
  Target target;
  Profile profile;

  Scene() {
    test_case.program.inputs.resize(1);
    test_case.program.nodes = {Node{"aten::relu", {Argument{ValueRef{-1, 0}}}}};
    test_case.program.outputs = {ValueRef{0, 0}};
    const HostTensor good = testing_tensors::tensor(Dtype::float32, {1, 2, 3});
    plain.outcome = Returned{{Step{{good}, {good}}}};
    seen = plain;
    seen.evidence.placement = Placement::native;
    reference->steps.resize(1);
    reference->steps[0].outputs = {testing_tensors::bounded(Dtype::float32, {1, 2, 3})};
    target.refused_codes = {"EVRF001"};
    target.refused_texts = {"only support contiguous"};
  }

  HostTensor& output() { return std::get<Returned>(seen.outcome).steps[0].outputs[0]; }
  HostTensor& input_after() { return std::get<Returned>(seen.outcome).steps[0].inputs_after[0]; }
  void replace_output(const HostTensor& wrong) { output() = wrong; }
  void raise(const std::string& error_class, const std::string& text) { seen.outcome = Raised{error_class, text, false, 0}; }
  void reference_raises(const std::string& error_class, const std::string& text) {
    plain.outcome = Raised{error_class, text, false, 0};
    reference.reset();
  }

  Verdict judged() const {
    Question question{.test_case = test_case,
                      .path = path,
                      .structure = plain,
                      .reference = reference ? &*reference : nullptr,
                      .seen = seen,
                      .target = target,
                      .profile = profile,
                      .permissive = {},
                      .partly_on_host = {},
                      .plain_contiguous = {},
                      .torchs_own = {},
                      .torchs_own_layout = {}};
    question.judges_the_cpu = judges_the_cpu;
    if (plain_contiguous) question.plain_contiguous = [this] { return *plain_contiguous; };
    if (torchs_own) question.torchs_own = question.torchs_own_layout = [this] { return *torchs_own; };
    if (permissive) question.permissive = [this] { return *permissive; };
    if (partly_on_host) question.partly_on_host = [this] { return *partly_on_host; };
    if (permissive_profile) question.permissive_profile = &*permissive_profile;
    return judge(question);
  }
};

inline bool has_flag(const Verdict& verdict, const std::string& flag) {
  return std::find(verdict.flags.begin(), verdict.flags.end(), flag) != verdict.flags.end();
}

inline void expect(const Scene& scene, VerdictKind kind, const std::string& reason) {
  const Verdict verdict = scene.judged();
  EXPECT_EQ(verdict.kind, kind) << name_of(verdict.kind) << ": " << verdict.reason << " " << verdict.detail;
  EXPECT_EQ(verdict.reason, reason) << verdict.detail;
}

}  // namespace neuroncheck::oracles
