#include "oracles/structural.h"

#include <gtest/gtest.h>

#include "oracles/test_tensors.h"

namespace neuroncheck::oracles {
namespace {

using testing_tensors::tensor;

Returned returned(const HostTensor& output) { return Returned{{Step{{output}, {}}}}; }

std::string reason(const HostTensor& plain, const HostTensor& seen) {
  const auto found = compare_outputs(returned(plain), returned(seen), "cpu");
  return found ? found->reason : "";
}

const HostTensor kMatrix = tensor(Dtype::float32, {1, 2, 3, 4, 5, 6}, {2, 3});

TEST(Structural, AcceptsTheSame) { EXPECT_EQ(reason(kMatrix, kMatrix), ""); }

TEST(Structural, SeesEachKindOfDeviation) {
  HostTensor seen = kMatrix;
  seen.sizes = {3, 2};
  EXPECT_EQ(reason(kMatrix, seen), "shape");
  seen = kMatrix;
  seen.dtype = Dtype::int32;
  EXPECT_EQ(reason(kMatrix, seen), "dtype");
  seen = kMatrix;
  seen.device = "neuron";
  EXPECT_EQ(reason(kMatrix, seen), "device");
  HostTensor number = kMatrix;
  number.device = kNumber;
  EXPECT_EQ(reason(number, seen), "");  // a number lies nowhere
  seen = kMatrix;
  seen.alias_of_input = 1;
  EXPECT_EQ(reason(kMatrix, seen), "alias");
  seen = kMatrix;
  seen.requires_grad = true;
  EXPECT_EQ(reason(kMatrix, seen), "alias");
  EXPECT_EQ(compare_outputs(returned(kMatrix), Returned{{Step{}}}, "cpu")->reason, "shape");
}

TEST(Structural, SeesAnInPlaceFormThatReturnsACopy) {
  HostTensor plain = kMatrix, seen = kMatrix;
  plain.alias_of_input = seen.alias_of_input = 0;
  plain.is_input = true;
  EXPECT_EQ(reason(plain, seen), "alias");
}

TEST(Structural, ComparesStridesOnlyWhereTheyArePromised) {
  HostTensor transposed = kMatrix;
  transposed.strides = {1, 2};
  EXPECT_EQ(reason(transposed, kMatrix), "stride");
  HostTensor expanded = kMatrix;
  expanded.strides = {0, 1};
  EXPECT_EQ(reason(expanded, kMatrix), "") << "overlapping";
  HostTensor holes = kMatrix;
  holes.strides = {6, 2};
  EXPECT_EQ(reason(holes, kMatrix), "") << "not dense";
  HostTensor row = tensor(Dtype::float32, {1, 2, 3}, {1, 3}), other = row;
  other.strides = {77, 1};
  EXPECT_EQ(reason(row, other), "") << "a dimension of one element";
}

TEST(Structural, LeavesTheLayoutOfGradientsFree) {
  HostTensor transposed = kMatrix;
  transposed.strides = {1, 2};
  EXPECT_FALSE(compare_gradients(returned(transposed), returned(kMatrix), "cpu"));
  EXPECT_EQ(compare_gradients(returned(kMatrix), returned(tensor(Dtype::float32, {1})), "cpu")->reason, "shape");
}

TEST(Structural, SeesClobberedInputsButNotMutatedOnes) {
  const Returned plain{{Step{{}, {kMatrix}}}};
  Returned seen = plain;
  seen.steps[0].inputs_after[0].bytes[7] ^= std::byte{1};
  const auto found = compare_inputs_after(plain, seen, {{}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->reason, "mutation");
  EXPECT_NE(found->detail.find("element 1"), std::string::npos) << found->detail;
  EXPECT_FALSE(compare_inputs_after(plain, seen, {{0}}));
}

TEST(Structural, SeesWritesOutsideOfTheElements) {
  const Returned plain{{Step{{}, {kMatrix}}}};
  Returned seen = plain;
  seen.steps[0].inputs_after[0].guard_broken = true;
  EXPECT_EQ(compare_inputs_after(plain, seen, {{0}})->reason, "mutation") << "the op may write the elements, nothing else";
  EXPECT_FALSE(compare_inputs_after(seen, seen, {{0}})) << "as_strided may reach there on the CPU, too";
}

}  // namespace
}  // namespace neuroncheck::oracles
