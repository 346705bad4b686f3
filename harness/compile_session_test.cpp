// The compiled paths with Dynamo's own backends: cheap, and with errors of every kind.
#include "harness/compile_session.h"

#include <gtest/gtest.h>

#include "harness/device_session.h"
#include "harness/session.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

TensorSpec spec_of(std::vector<std::int64_t> sizes, std::uint64_t seed = 1) {
  TensorSpec spec;
  for (const std::int64_t size : sizes) spec.sizes.push_back(Dim{size, -1});
  spec.fill.seed = seed;
  return spec;
}

Argument input(int i) { return {ValueRef{-1, i}}; }

Case one_op(const std::string& op, std::vector<TensorSpec> inputs, ArgumentList arguments) {
  Case test_case;
  test_case.program.inputs = std::move(inputs);
  test_case.program.nodes = {Node{op, std::move(arguments)}};
  test_case.program.outputs = {ValueRef{0, 0}};
  return test_case;
}

Case unary(const std::string& op, std::int64_t size, std::uint64_t seed = 1) { return one_op(op, {spec_of({size}, seed)}, {input(0)}); }

// Python starts once per process: all tests share the session.
class Compiled : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Target target;
    target.name = "aot_eager";
    target.compile_backend = "aot_eager";
    session_ = open_session(target, ".", "").release();
    plain_ = open_plain_session().release();
  }

  static void expect_same(const Observation& seen, const Case& test_case, Path path) {
    ASSERT_TRUE(std::holds_alternative<Returned>(seen.outcome)) << std::get<Raised>(seen.outcome).text;
    const Observation expected = plain_->run(test_case, path);
    const auto& got_steps = std::get<Returned>(seen.outcome).steps;
    const auto& steps = std::get<Returned>(expected.outcome).steps;
    ASSERT_EQ(got_steps.size(), steps.size());
    for (std::size_t s = 0; s < steps.size(); ++s) {
      ASSERT_EQ(got_steps[s].outputs.size(), steps[s].outputs.size());
      for (std::size_t i = 0; i < steps[s].outputs.size(); ++i) EXPECT_EQ(got_steps[s].outputs[i].bytes, steps[s].outputs[i].bytes);
      for (std::size_t i = 0; i < steps[s].inputs_after.size(); ++i) EXPECT_EQ(got_steps[s].inputs_after[i].bytes, steps[s].inputs_after[i].bytes);
    }
  }

  static Session* session_;
  static Session* plain_;
};
Session* Compiled::session_ = nullptr;
Session* Compiled::plain_ = nullptr;

TEST_F(Compiled, SharesAGraphAmongProgramsAndValueSets) {
  const std::vector<Case> cases = {unary("aten::neg", 3, 1), unary("aten::abs", 4), unary("aten::neg", 3, 2)};
  const auto seen = session_->run_all(cases, Path::compiled, 8);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    expect_same(seen[i], cases[i], Path::eager);
    EXPECT_EQ(seen[i].batch, 2);
    EXPECT_EQ(seen[i].counters.graphs, 1);
    EXPECT_EQ(seen[i].evidence.placement, Placement::native);
  }
}

TEST_F(Compiled, MutatesItsInputs) {
  const std::vector<Case> cases = {unary("aten::neg_", 3), unary("aten::abs_", 4)};
  const auto seen = session_->run_all(cases, Path::compiled, 8);
  for (std::size_t i = 0; i < cases.size(); ++i) expect_same(seen[i], cases[i], Path::eager);
}

TEST_F(Compiled, ASingleBadProgramCostsItsNeighboursNothing) {
  const std::vector<Case> cases = {unary("aten::neg", 3), one_op("aten::mm", {spec_of({2, 3}), spec_of({2, 3})}, {input(0), input(1)}),
                                   unary("aten::abs", 3), one_op("aten::equal", {spec_of({5}), spec_of({5})}, {input(0), input(1)}),
                                   unary("aten::sin", 3)};
  const auto seen = session_->run_all(cases, Path::compiled, 8);
  for (const std::size_t good : {0, 2, 4}) expect_same(seen[good], cases[good], Path::eager);
  const auto& bad = std::get<Raised>(seen[1].outcome);
  EXPECT_EQ(bad.error_class, "RuntimeError") << bad.text;
  EXPECT_TRUE(bad.while_compiling);
  ASSERT_TRUE(std::holds_alternative<Raised>(seen[3].outcome));
  EXPECT_GT(seen[3].counters.graph_breaks, 0) << std::get<Raised>(seen[3].outcome).text;
}

TEST_F(Compiled, TakesGradientsOfManyProgramsAtOnce) {
  std::vector<Case> cases = {unary("aten::sin", 3), one_op("aten::mul.Tensor", {spec_of({4}), spec_of({4}, 2)}, {input(0), input(1)})};
  for (Case& test_case : cases) {
    for (TensorSpec& spec : test_case.program.inputs) spec.requires_grad = true;
    test_case.backward = {Backward{}};
  }
  const auto seen = session_->run_all(cases, Path::compiled_backward, 8);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    expect_same(seen[i], cases[i], Path::eager_backward);
    EXPECT_EQ(seen[i].batch, 2);
  }
}

TEST_F(Compiled, RunsTrajectoriesThroughOneFunction) {
  Case test_case = unary("aten::neg", 1);
  test_case.program.inputs[0].sizes = {Dim{0, 0}};
  test_case.program.symbols = 1;
  test_case.bindings = {Binding{{3}}, Binding{{5}}, Binding{{7}}};
  const Observation fixed = session_->run(test_case, Path::compiled);
  expect_same(fixed, test_case, Path::eager);
  EXPECT_EQ(fixed.counters.graphs, 3);
  const Observation dynamic = session_->run(test_case, Path::dynamic);
  expect_same(dynamic, test_case, Path::eager);
  EXPECT_EQ(dynamic.counters.graphs, 1);
}

TEST_F(Compiled, NamesAnUnknownBackendAndDeviceAtOnce) {
  Target target;
  target.name = "nowhere";
  target.compile_backend = "no_such_compiler";
  EXPECT_THROW(open_session(target, ".", ""), NotTestable);
  target.compile_backend = "";
  target.device = "no_such_device";
  EXPECT_THROW(open_session(target, ".", ""), NotTestable);
}

}  // namespace
}  // namespace neuroncheck
