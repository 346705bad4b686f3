#include "oracles/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "oracles/judge_scene.h"

namespace neuroncheck::oracles {
namespace {

using testing_tensors::bounded;
using testing_tensors::tensor;

TEST(Judge, PassesWhatIsRight) {
  const Verdict verdict = Scene().judged();
  EXPECT_EQ(verdict.kind, VerdictKind::pass) << verdict.detail;
  EXPECT_EQ(verdict.oracle, "exact");
}

TEST(Judge, PassesEmptyOutputs) {
  Scene scene;
  const HostTensor empty = tensor(Dtype::float32, {}, {0});
  std::get<Returned>(scene.plain.outcome).steps[0].outputs = {empty};
  scene.replace_output(empty);
  scene.reference->steps[0].outputs = {bounded(Dtype::float32, {}, {}, {0})};
  expect(scene, VerdictKind::pass, "");
}

TEST(Judge, FindsWrongValuesAndSaysWhatWeakOraclesSee) {
  Scene scene;
  scene.replace_output(tensor(Dtype::float32, {1, 2, 3.02}));
  const Verdict verdict = scene.judged();
  EXPECT_EQ(verdict.kind, VerdictKind::mismatch);
  EXPECT_EQ(verdict.reason, "value");
  ASSERT_TRUE(verdict.worst);
  EXPECT_EQ(verdict.worst->index, std::vector<std::int64_t>{2});
  EXPECT_EQ(verdict.weak_default_sees, true);
  EXPECT_EQ(verdict.weak_vendor_sees, false);
}

TEST(Judge, FindsSwallowedNan) {
  Scene scene;
  scene.reference->steps[0].outputs = {bounded(Dtype::float32, {1, kNan, 3})};
  expect(scene, VerdictKind::mismatch, "nan_inf");
}

TEST(Judge, CallsWhatThePermissiveProfileAllowsImprecise) {
  Scene scene;
  scene.replace_output(tensor(Dtype::float32, {1, 2, 3.02}));
  scene.permissive = scene.reference;
  expect(scene, VerdictKind::mismatch, "value");
  scene.permissive->steps[0].outputs = {bounded(Dtype::float32, {1, 2, 3}, {0.1, 0.1, 0.1})};
  expect(scene, VerdictKind::imprecise, "value");
}

TEST(Judge, RoundsThePermissiveReferenceAsItsOwnProfileSays) {
  Scene scene;
  scene.reference->steps[0].outputs = {bounded(Dtype::float32, {1, 2, 3 + 0x1.8p-23})};  // three quarters of an ulp above 3
  scene.permissive = scene.reference;
  expect(scene, VerdictKind::mismatch, "value");
  scene.permissive_profile = Profile{};
  scene.permissive_profile->rounding = OutputRounding::faithful;
  expect(scene, VerdictKind::imprecise, "value");
}

TEST(Judge, CallsWideBoundsWeak) {
  Scene scene;
  scene.reference->steps[0].outputs = {bounded(Dtype::float32, {1, 2, 3}, {2, 4, 6})};
  expect(scene, VerdictKind::weak_case, "wide");
  scene.reference->steps[0].outputs = {bounded(Dtype::float32, {1, 2, 3}, {2, 4, 0.5})};
  expect(scene, VerdictKind::pass, "");
}

TEST(Judge, CallsACaseWeakWhenNoElementOfAnOutputProvesAnything) {
  Scene scene;
  auto& plain = std::get<Returned>(scene.plain.outcome).steps[0].outputs;
  auto& seen = std::get<Returned>(scene.seen.outcome).steps[0].outputs;
  auto& reference = scene.reference->steps[0].outputs;
  reference = {bounded(Dtype::float32, {1, 2, 3}, {2, 4, 6})};
  expect(scene, VerdictKind::weak_case, "wide");
  reference = {bounded(Dtype::float32, {1, 2, 3}, {0, 4, 6})};
  expect(scene, VerdictKind::pass, "");
  const auto second = [&](const HostTensor& value, const Bounded& expected) {
    plain.resize(1);
    seen.resize(1);
    reference.resize(1);
    plain.push_back(value);
    seen.push_back(value);
    reference.push_back(expected);
  };
  second(tensor(Dtype::float32, {0}), bounded(Dtype::float32, {0}, {1e-6}));
  expect(scene, VerdictKind::weak_case, "wide");
  second(tensor(Dtype::float32, {}), bounded(Dtype::float32, {}));
  expect(scene, VerdictKind::pass, "");
  second(tensor(Dtype::float32, {0}), bounded(Dtype::float32, {0}));
  expect(scene, VerdictKind::pass, "");
  second(tensor(Dtype::float32, {kNan}), bounded(Dtype::float32, {kNan}));
  expect(scene, VerdictKind::pass, "");
  second(testing_tensors::integer_tensor(Dtype::int64, {0}), testing_tensors::integers({0}));
  expect(scene, VerdictKind::pass, "");
}

TEST(Judge, FindsWrongStructure) {
  for (const std::string reason : {"dtype", "shape", "device", "alias"}) {
    Scene scene;
    if (reason == "dtype") scene.replace_output(tensor(Dtype::float64, {1, 2, 3}));
    if (reason == "shape") scene.replace_output(tensor(Dtype::float32, {1, 2, 3}, {1, 3}));
    if (reason == "device") scene.output().device = "neuron";
    if (reason == "alias") scene.output().alias_of_input = 0;
    expect(scene, VerdictKind::mismatch, reason);
    EXPECT_EQ(scene.judged().oracle, "structural");
    EXPECT_TRUE(scene.judged().weak_default_sees.has_value() && scene.judged().weak_vendor_sees.has_value());
  }
}

TEST(Judge, LetsAWrongValueStandBeforeAWrongLayout) {
  Scene scene;
  std::get<Returned>(scene.plain.outcome).steps[0].outputs[0].requires_grad = true;
  scene.replace_output(tensor(Dtype::float32, {1, 2, 4}));
  expect(scene, VerdictKind::mismatch, "value");
  EXPECT_TRUE(has_flag(scene.judged(), "alias"));
}

TEST(Judge, FindsClobberedInputs) {
  Scene scene;
  scene.input_after() = tensor(Dtype::float32, {1, 2, 0});
  expect(scene, VerdictKind::mismatch, "mutation");
}

TEST(Judge, JudgesMutatedInputsByTheReference) {
  Scene scene;
  scene.reference->steps[0].mutated_inputs = {0};
  scene.reference->steps[0].mutated = {bounded(Dtype::float32, {1, 2, 5})};
  const Verdict verdict = scene.judged();
  EXPECT_EQ(verdict.kind, VerdictKind::mismatch);
  ASSERT_TRUE(verdict.worst);
  EXPECT_EQ(verdict.worst->what, "input_after");
}

TEST(Judge, TellsFallbackFromPass) {
  Scene scene;
  scene.seen.evidence.placement = Placement::fallback;
  scene.seen.evidence.fallbacks = {{"aten::relu", 2, 24}};
  expect(scene, VerdictKind::fallback, "aten::relu");
  scene.replace_output(tensor(Dtype::float32, {1, 2, 4}));
  expect(scene, VerdictKind::mismatch, "value");
  EXPECT_TRUE(has_flag(scene.judged(), "fallback"));
}

TEST(Judge, TellsRefusalsFromDefects) {
  Scene scene;
  scene.raise("RuntimeError", "boom at 0x7f001234");
  expect(scene, VerdictKind::unexpected_error, "RuntimeError");
  scene.raise("NotImplementedError", "\"relu_cpu\" not implemented for 'Half'");
  expect(scene, VerdictKind::refused, "NotImplementedError");
  scene.raise("NotImplementedError", "\"softmax\" not implemented for 'Half'");
  expect(scene, VerdictKind::unexpected_error, "NotImplementedError");
  scene.raise("RuntimeError", "clone: Neuron tensors only support contiguous or preserve memory format");
  expect(scene, VerdictKind::refused, "RuntimeError");
  scene.raise("RuntimeError", "exit code 70: [NCC_EVRF001] relu");
  expect(scene, VerdictKind::refused, "NCC_EVRF001");
  scene.raise("RuntimeError", "exit code 70: [NCC_EVRF035] relu");
  expect(scene, VerdictKind::compile_error, "NCC_EVRF035");
  scene.raise("RuntimeError", "NRT allocation failed for size 12345 (OOM)");
  expect(scene, VerdictKind::oom, "RuntimeError");
}

TEST(Judge, ComparesErrorClasses) {
  Scene scene;
  scene.reference_raises("IndexError", "index 7 is out of range");
  expect(scene, VerdictKind::missing_error, "IndexError");
  scene.raise("IndexError", "some other words");
  expect(scene, VerdictKind::pass, "");
  EXPECT_EQ(scene.judged().oracle, "error");
  scene.raise("RuntimeError", "index 7 is out of range");
  expect(scene, VerdictKind::wrong_error, "RuntimeError");
  scene.reference_raises("LinAlgError", "singular");
  expect(scene, VerdictKind::pass, "");
}

TEST(Judge, LetsAPersonalityReplaceAnIndexError) {
  Scene scene;
  scene.test_case.program.nodes[0].op = "aten::index_select";
  scene.reference_raises("IndexError", "index out of range");
  scene.profile.personality = {{"aten::index_select", 1, "index_out_of_range", "nan", true, "a test"}};
  expect(scene, VerdictKind::pass, "");
  scene.reference_raises("RuntimeError", "index out of range");
  expect(scene, VerdictKind::missing_error, "RuntimeError");
}

TEST(Judge, KnowsRefusalsOfCompilers) {
  Scene scene;
  scene.path = Path::compiled;
  scene.seen.outcome = Raised{"NEFFCompilationError",
                              "COMPILATION FAILED: StableHLO to NEFF compilation failed for torch.compile: Command failed (neuronx-cc compilation) "
                              "with exit code 70: [NCC_EVRF001] unsupported operator: aten.i0e.default",
                              true, 0};
  expect(scene, VerdictKind::refused, "NCC_EVRF001");
  EXPECT_EQ(scene.judged().cause, "NCC_EVRF001");
  scene.target.refused_texts = {"torch-neuronx requires static shapes"};
  scene.seen.outcome = Raised{"RuntimeError",
                              "Dynamic shapes detected in the model, but torch-neuronx requires static shapes. Found 2 dynamic dimension(s): "
                              "[arg0_1[0], arg1_1[2]]",
                              true, 1};
  expect(scene, VerdictKind::refused, "RuntimeError");
  EXPECT_EQ(scene.judged().cause, "Dynamic shapes detected in the model, but torch-neuronx requires static shapes. Found # dynamic dimension(s)");
  scene.seen.outcome = Raised{"AssertionError", "boom", true, 0};
  expect(scene, VerdictKind::compile_error, "AssertionError");
}

TEST(Judge, TakesDocumentedErrorsOfTheVendor) {
  Scene scene;
  scene.profile.documented_errors = {{"aten::amax", "empty_input", "RuntimeError", "Cannot perform", "a test"}};
  scene.test_case.program.nodes[0].op = "aten::amax";
  scene.test_case.program.inputs[0].sizes = {Dim{0, -1}};
  scene.raise("RuntimeError", "Cannot perform amax on empty tensor (no identity value)");
  expect(scene, VerdictKind::refused, "RuntimeError");
  EXPECT_EQ(scene.judged().cause, "documented_error");
  Scene both = scene;
  both.reference_raises("IndexError", "amax(): Expected reduction dim to have non-zero size.");
  expect(both, VerdictKind::pass, "");
  EXPECT_TRUE(has_flag(both.judged(), "documented_error"));
  scene.test_case.program.inputs[0].sizes = {Dim{3, -1}};
  expect(scene, VerdictKind::unexpected_error, "RuntimeError");
  both.raise("RuntimeError", "boom");
  expect(both, VerdictKind::wrong_error, "RuntimeError");
  both.raise("ValueError", "Cannot perform amax on empty tensor (no identity value)");
  expect(both, VerdictKind::wrong_error, "ValueError");
}

TEST(Judge, BlamesDeaths) {
  Target device, cpu;
  device.name = "neuron-sim";
  cpu.name = "cpu";
  for (const Stage stage : {Stage::subject, Stage::batch}) {
    EXPECT_EQ(judge_death(Died{11, false}, stage, device).kind, VerdictKind::crash);
    EXPECT_EQ(judge_death(Died{11, false}, stage, device).reason, "signal 11");
    EXPECT_EQ(judge_death(Died{0, true}, stage, device).kind, VerdictKind::timeout);
  }
  for (const Stage stage : {Stage::structure, Stage::reference}) {
    EXPECT_EQ(judge_death(Died{11, false}, stage, device).kind, VerdictKind::skipped);
    EXPECT_EQ(judge_death(Died{11, false}, stage, cpu).kind, VerdictKind::crash);
  }
  for (const Stage stage : {Stage::draw, Stage::judge}) {
    EXPECT_EQ(judge_death(Died{11, false}, stage, device).kind, VerdictKind::harness_error);
    EXPECT_EQ(judge_death(Died{0, true}, stage, device).kind, VerdictKind::harness_error);
  }
  Scene scene;
  scene.seen.outcome = Died{6, false};
  expect(scene, VerdictKind::crash, "signal 6");
  scene.plain.outcome = Died{6, false};
  expect(scene, VerdictKind::skipped, "reference_died");
}

TEST(Judge, OwnsUpToItsOwnBrokenPromises) {
  Scene without_reference;
  without_reference.reference.reset();
  expect(without_reference, VerdictKind::harness_error, "judge");
  Scene bad_bound;
  bad_bound.reference->steps[0].outputs = {bounded(Dtype::float32, {1, 2, 3}, {kNan, 0, 0})};
  expect(bad_bound, VerdictKind::harness_error, "judge");
  Scene no_plain_backward;
  no_plain_backward.path = Path::eager_backward;
  expect(no_plain_backward, VerdictKind::harness_error, "judge");
}

TEST(Judge, JudgesGradientsOnBackwardPaths) {
  Scene scene;
  scene.path = Path::eager_backward;
  scene.reference->steps[0].gradients = {bounded(Dtype::float32, {1, 2, 4})};
  const Question question{.test_case = scene.test_case,
                          .path = scene.path,
                          .structure = scene.plain,
                          .structure_backward = &scene.plain,
                          .reference = &*scene.reference,
                          .seen = scene.seen,
                          .target = scene.target,
                          .profile = scene.profile,
                          .permissive = {},
                          .partly_on_host = {},
                          .plain_contiguous = {},
                          .torchs_own = {},
                          .torchs_own_layout = {}};
  const Verdict verdict = judge(question);
  EXPECT_EQ(verdict.kind, VerdictKind::mismatch);
  ASSERT_TRUE(verdict.worst);
  EXPECT_EQ(verdict.worst->what, "gradient");
}

TEST(Judge, SaysWhenAFindingRestsOnAnAssumption) {
  Scene scene;
  scene.profile.assumed = {"rounding"};
  scene.replace_output(tensor(Dtype::float32, {1, 2, 3.5}));
  EXPECT_TRUE(has_flag(scene.judged(), "assumed_profile"));
  scene.profile.assumed = {"height"};
  EXPECT_FALSE(has_flag(scene.judged(), "assumed_profile")) << "an exact value rests on the rounding alone";
}

}  // namespace
}  // namespace neuroncheck::oracles
