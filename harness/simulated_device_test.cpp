// The simulated device as a target: where ops ran, op by op and compiled, and what a refusal costs.
#include <gtest/gtest.h>

#include "harness/session.h"

namespace neuroncheck {
namespace {

TensorSpec spec_of(std::vector<std::int64_t> sizes, bool requires_grad = false) {
  TensorSpec spec;
  for (const std::int64_t size : sizes) spec.sizes.push_back(Dim{size, -1});
  spec.fill.seed = 3;
  spec.requires_grad = requires_grad;
  return spec;
}

Argument input(int i) { return {ValueRef{-1, i}}; }

Case one_op(const std::string& op, std::vector<TensorSpec> inputs, ArgumentList arguments = {input(0)}) {
  Case test_case;
  test_case.program.inputs = std::move(inputs);
  test_case.program.nodes = {Node{op, std::move(arguments)}};
  test_case.program.outputs = {ValueRef{0, 0}};
  if (test_case.program.inputs[0].requires_grad) test_case.backward = {Backward{}};
  return test_case;
}

Target simulated() {
  Target target;
  target.name = "neuron-sim";
  target.device = "neuron";
  target.simulated = true;
  target.imports = {"torch_neuronx"};
  target.package = "simulator";
  target.library = "simulator/torch_neuronx/libneuron_sim.so";
  target.compile_backend = "neuron";
  target.evidence = "privateuse1";
  target.tracker_module = "torch_neuronx";
  return target;
}

constexpr Path kPaths[] = {Path::eager, Path::eager_backward, Path::compiled, Path::compiled_backward};

// One device per process: the tests run in this order, the first ones before Python is up.
class Simulated : public testing::Test {
 protected:
  static void SetUpTestSuite() { plain_ = open_plain_session().release(); }

  static void expect_same(const Observation& seen, const Case& test_case, Path path) {
    ASSERT_TRUE(std::holds_alternative<Returned>(seen.outcome))
        << std::get<Raised>(seen.outcome).error_class << ": " << std::get<Raised>(seen.outcome).text;
    const Observation expected = plain_->run(test_case, path);
    const Step& got = std::get<Returned>(seen.outcome).steps.at(0);
    const Step& plain = std::get<Returned>(expected.outcome).steps.at(0);
    for (std::size_t i = 0; i < plain.outputs.size(); ++i) EXPECT_EQ(got.outputs.at(i).bytes, plain.outputs[i].bytes);
    for (std::size_t i = 0; i < plain.inputs_after.size(); ++i) {
      EXPECT_EQ(got.inputs_after.at(i).bytes, plain.inputs_after[i].bytes);
      EXPECT_FALSE(got.inputs_after.at(i).guard_broken);
    }
  }

  static void expect_placed(const Observation& seen, Placement placement, const std::string& fallback = "") {
    EXPECT_EQ(name_of(seen.evidence.placement), name_of(placement));
    EXPECT_TRUE(seen.evidence.disagreements.empty()) << seen.evidence.disagreements.front();
    if (fallback.empty()) {
      EXPECT_TRUE(seen.evidence.fallbacks.empty()) << seen.evidence.fallbacks.front().op;
    } else {
      ASSERT_EQ(seen.evidence.fallbacks.size(), 1u);
      EXPECT_EQ(seen.evidence.fallbacks[0].op, fallback);
      EXPECT_GE(seen.evidence.fallbacks[0].copies, 2);
      EXPECT_GT(seen.evidence.fallbacks[0].bytes, 0);
    }
  }

  // Opened by the first test that needs the compiler; a backward pass before Python is up would leave its autograd engine without the device.
  static Session& session() {
    if (session_ != nullptr) return *session_;
    session_ = open_session(simulated(), BUILD_FOLDER, "").release();
    session_->prepare(kPaths);
    return *session_;
  }

  static void eager_is_placed(Session& session) {
    const Case native = one_op("aten::neg", {spec_of({3, 4})});
    Observation seen = session.run(native, Path::eager);
    expect_same(seen, native, Path::eager);
    expect_placed(seen, Placement::native);
    const Case fallback = one_op("aten::digamma", {spec_of({3, 4})});
    seen = session.run(fallback, Path::eager);
    expect_same(seen, fallback, Path::eager);
    expect_placed(seen, Placement::fallback, "aten::digamma.out");
  }

  static Session* session_;
  static Session* plain_;
};
Session* Simulated::session_ = nullptr;
Session* Simulated::plain_ = nullptr;

TEST_F(Simulated, TellsNativeFromFallbackWithoutPython) {
  Target target = simulated();
  target.compile_backend.clear();
  const auto session = open_session(target, BUILD_FOLDER, "");
  eager_is_placed(*session);
  EXPECT_FALSE(session->versions().contains("python"));
}

TEST_F(Simulated, RunsCompiledGraphsOnTheDevice) {
  const std::vector<Case> cases = {one_op("aten::neg", {spec_of({3})}), one_op("aten::exp", {spec_of({4})}), one_op("aten::neg_", {spec_of({5})})};
  const auto seen = session().run_all(cases, Path::compiled, 8);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    expect_same(seen[i], cases[i], Path::eager);
    expect_placed(seen[i], Placement::native);
    EXPECT_EQ(seen[i].counters.per_op_dispatches, 0);
  }
  EXPECT_EQ(seen[0].batch, 2);
  EXPECT_EQ(seen[2].batch, 1);
}

TEST_F(Simulated, TellsNativeFromFallbackWithPython) {
  ASSERT_TRUE(session().versions().contains("python"));
  eager_is_placed(session());
  const Case gradient = one_op("aten::sin", {spec_of({3}, true)});
  const Observation seen = session().run(gradient, Path::eager_backward);
  expect_same(seen, gradient, Path::eager_backward);
  expect_placed(seen, Placement::native);
}

TEST_F(Simulated, CompilesGradients) {
  const std::vector<Case> cases = {one_op("aten::sin", {spec_of({3}, true)}),
                                   one_op("aten::mul.Tensor", {spec_of({4}, true), spec_of({4}, true)}, {input(0), input(1)})};
  const auto seen = session().run_all(cases, Path::compiled_backward, 8);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    expect_same(seen[i], cases[i], Path::eager_backward);
    expect_placed(seen[i], Placement::native);
    EXPECT_EQ(seen[i].batch, 2);
  }
}

TEST_F(Simulated, RefusesOneProgramAndKeepsItsNeighbours) {
  const std::vector<Case> cases = {one_op("aten::neg", {spec_of({3})}), one_op("aten::digamma", {spec_of({3})}), one_op("aten::sin", {spec_of({3})})};
  const auto seen = session().run_all(cases, Path::compiled, 8);
  for (const std::size_t good : {0, 2}) {
    expect_same(seen[good], cases[good], Path::eager);
    expect_placed(seen[good], Placement::native);
  }
  ASSERT_TRUE(std::holds_alternative<Raised>(seen[1].outcome));
  const Raised& refused = std::get<Raised>(seen[1].outcome);
  EXPECT_NE(refused.text.find("[NCC_EVRF001]"), std::string::npos) << refused.error_class << ": " << refused.text;
  EXPECT_TRUE(refused.while_compiling);
}

TEST_F(Simulated, SeesACompilerThatRunsTheGraphOpByOp) {
  Target target = simulated();
  target.compile_backend = "eager";
  const Case test_case = one_op("aten::neg", {spec_of({3})});
  const Observation seen = open_session(target, BUILD_FOLDER, "")->run(test_case, Path::compiled);
  expect_same(seen, test_case, Path::eager);
  EXPECT_GT(seen.counters.per_op_dispatches, 0);
  EXPECT_EQ(name_of(seen.evidence.placement), name_of(Placement::unproven));
}

}  // namespace
}  // namespace neuroncheck
