// What the judge makes of where a case ran and how it was compiled.
#include <gtest/gtest.h>

#include "oracles/judge_scene.h"

namespace neuroncheck::oracles {
namespace {

using testing_tensors::bounded;
using testing_tensors::tensor;

// The CPU gives 3.5 where the profile allows 3 alone.
Scene beyond_the_profile() {
  Scene scene;
  std::get<Returned>(scene.plain.outcome).steps[0].outputs[0] = tensor(Dtype::float32, {1, 2, 3.5});
  scene.replace_output(tensor(Dtype::float32, {1, 2, 3.5}));
  return scene;
}

TEST(Judge, HoldsAFallbackToBeAsRightAsTheCpu) {
  Scene scene = beyond_the_profile();
  expect(scene, VerdictKind::mismatch, "value");
  scene.seen.evidence.placement = Placement::fallback;
  scene.seen.evidence.fallbacks = {{"aten::relu", 2, 24}};
  expect(scene, VerdictKind::fallback, "aten::relu");
  EXPECT_TRUE(has_flag(scene.judged(), "cpu_numerics"));
  Scene clobbered = scene;
  clobbered.input_after() = tensor(Dtype::float32, {1, 2, 0});
  expect(clobbered, VerdictKind::mismatch, "value");
  scene.replace_output(tensor(Dtype::float32, {1, 2, 3.25}));
  expect(scene, VerdictKind::mismatch, "value");
  EXPECT_FALSE(has_flag(scene.judged(), "cpu_numerics"));
  scene.plain_contiguous = scene.seen;  // the same kernel on contiguous copies
  expect(scene, VerdictKind::fallback, "aten::relu");
}

TEST(Judge, DoubtsDemotionOnlyWhereSomethingRanOnTheHost) {
  Scene scene;
  scene.replace_output(tensor(Dtype::float32, {1, 2, 3.5}));
  scene.partly_on_host = scene.reference;
  scene.partly_on_host->steps[0].outputs = {bounded(Dtype::float32, {1, 2, 3}, {1, 1, 1})};
  scene.profile.demotes_float64 = true;
  expect(scene, VerdictKind::mismatch, "value");
  scene.seen.evidence.placement = Placement::fallback;
  scene.seen.evidence.fallbacks = {{"aten::relu", 2, 24}};
  expect(scene, VerdictKind::fallback, "aten::relu");
  scene.profile.demotes_float64 = false;
  expect(scene, VerdictKind::mismatch, "value");
}

TEST(Judge, TakesStridesThatTorchItselfGivesForNobodysFault) {
  Scene scene;
  HostTensor square = tensor(Dtype::float32, {1, 2, 3, 4}, {2, 2});
  scene.reference->steps[0].outputs = {bounded(Dtype::float32, {1, 2, 3, 4}, {}, {2, 2})};
  std::get<Returned>(scene.plain.outcome).steps[0].outputs = {square};
  square.strides = {1, 2};
  scene.replace_output(square);
  scene.torchs_own = scene.seen;
  expect(scene, VerdictKind::mismatch, "stride");  // it ran on the device
  scene.seen.evidence.placement = Placement::fallback;
  scene.seen.evidence.fallbacks = {{"aten::relu", 2, 24}};
  expect(scene, VerdictKind::fallback, "aten::relu");
  EXPECT_TRUE(has_flag(scene.judged(), "torchs_strides"));
  scene.torchs_own = scene.plain;
  expect(scene, VerdictKind::mismatch, "stride");
  scene.torchs_own->outcome = Raised{"RuntimeError", "no", false, 0};
  expect(scene, VerdictKind::mismatch, "stride");
  scene.seen.evidence = {};
  scene.seen.evidence.placement = Placement::native;
  scene.path = Path::compiled;
  scene.seen.counters.compilations = 1;
  scene.torchs_own = scene.seen;
  expect(scene, VerdictKind::mismatch, "stride");
  scene.target.evidence = "privateuse1";
  expect(scene, VerdictKind::pass, "");
}

TEST(Judge, ExcusesNothingWithTheKernelThatIsUnderTest) {
  Scene scene = beyond_the_profile();
  scene.seen.evidence.placement = Placement::fallback;
  scene.seen.evidence.fallbacks = {{"aten::relu", 2, 24}};
  expect(scene, VerdictKind::fallback, "aten::relu");
  scene.judges_the_cpu = true;
  expect(scene, VerdictKind::mismatch, "value");
  scene.seen.evidence = {};
  scene.seen.evidence.placement = Placement::native;
  scene.path = Path::compiled;
  scene.seen.counters.compilations = 1;
  scene.target.evidence = "privateuse1";
  scene.torchs_own = scene.seen;
  expect(scene, VerdictKind::mismatch, "value");
}

// What torch lays out otherwise excuses that alone: an alias that the witness has, too, still is one.
TEST(Judge, HidesNothingBehindStridesOfTorch) {
  Scene scene;
  HostTensor square = tensor(Dtype::float32, {1, 2, 3, 4}, {2, 2});
  const Bounded wanted = bounded(Dtype::float32, {1, 2, 3, 4}, {}, {2, 2});
  scene.reference->steps[0].outputs = {wanted, wanted};
  std::get<Returned>(scene.plain.outcome).steps[0].outputs = {square, square};
  HostTensor turned = square, aliased = square;
  turned.strides = {1, 2};
  aliased.alias_of_input = 0;
  scene.seen.evidence.placement = Placement::fallback;
  scene.seen.evidence.fallbacks = {{"aten::relu", 2, 24}};
  std::get<Returned>(scene.seen.outcome).steps[0].outputs = {turned, square};
  scene.torchs_own = scene.seen;
  expect(scene, VerdictKind::fallback, "aten::relu");
  std::get<Returned>(scene.seen.outcome).steps[0].outputs = {turned, aliased};
  scene.torchs_own = scene.seen;
  EXPECT_EQ(scene.judged().kind, VerdictKind::mismatch);
  // Strides of a witness with holes are no freedom: they are met or not.
  std::get<Returned>(scene.seen.outcome).steps[0].outputs = {turned, square};
  HostTensor holes = square;
  holes.strides = {4, 2};
  std::get<Returned>(scene.torchs_own->outcome).steps[0].outputs = {holes, square};
  expect(scene, VerdictKind::mismatch, "stride");
}

TEST(Judge, LetsCompiledGraphsWriteADemotedInputBackAsAWhole) {
  Scene scene;
  scene.reference->steps[0].mutated_inputs = {0};
  scene.reference->steps[0].mutated = {bounded(Dtype::float64, {1, 2, 0.1})};
  std::get<Returned>(scene.plain.outcome).steps[0].inputs_after = {tensor(Dtype::float64, {1, 2, 0.1})};
  scene.input_after() = tensor(Dtype::float64, {1, 2, static_cast<double>(0.1F)});
  scene.profile.demotes_float64 = true;
  expect(scene, VerdictKind::mismatch, "value");
  scene.path = Path::compiled;
  scene.seen.counters.compilations = 1;
  expect(scene, VerdictKind::pass, "");
  scene.input_after() = tensor(Dtype::float64, {1, 2, 0.101});
  expect(scene, VerdictKind::mismatch, "value");
}

TEST(Judge, ExcusesCpuNumericsOnHostsWhereTheyAreCompiled) {
  Scene scene = beyond_the_profile();
  scene.target.evidence = "host";
  expect(scene, VerdictKind::mismatch, "value");
  scene.path = Path::compiled;
  scene.seen.counters.compilations = 1;
  expect(scene, VerdictKind::weak_case, "cpu_numerics");
  scene.target.evidence = "privateuse1";
  expect(scene, VerdictKind::mismatch, "value");
}

TEST(Judge, ExcusesWhatTorchsOwnGraphComputes) {
  Scene scene = beyond_the_profile();
  scene.plain = Scene().plain;
  scene.torchs_own = scene.seen;
  expect(scene, VerdictKind::mismatch, "value");
  scene.path = Path::compiled;
  scene.seen.counters.compilations = 1;
  expect(scene, VerdictKind::mismatch, "value");  // a host compiler is judged with its graphs
  scene.target.evidence = "privateuse1";
  expect(scene, VerdictKind::weak_case, "graph_numerics");
  scene.torchs_own = scene.plain;
  expect(scene, VerdictKind::mismatch, "value");
}

TEST(Judge, NeverPassesWithoutEvidence) {
  Scene scene;
  scene.seen.evidence.placement = Placement::unproven;
  expect(scene, VerdictKind::weak_case, "unproven");
  EXPECT_TRUE(has_flag(scene.judged(), "unproven"));
}

TEST(Judge, CountsGraphBreaksAndRecompilations) {
  Scene scene;
  scene.path = Path::compiled;
  scene.seen.counters.compilations = 1;
  expect(scene, VerdictKind::pass, "");
  scene.seen.counters.compilations = 2;
  expect(scene, VerdictKind::recompiles, "");
  scene.seen.counters.per_op_dispatches = 1;
  expect(scene, VerdictKind::graph_break, "eager_inside");
  EXPECT_TRUE(has_flag(scene.judged(), "recompiles"));
  scene.seen.counters.graph_breaks = 1;
  expect(scene, VerdictKind::graph_break, "graph_break");
}

}  // namespace
}  // namespace neuroncheck::oracles
