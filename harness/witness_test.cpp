#include "harness/witness.h"

#include <gtest/gtest.h>

namespace neuroncheck {
namespace {

// add of two inputs, the first laid out so.
Case addition(LayoutKind layout, std::uint64_t seed = 1) {
  Case test_case;
  TensorSpec input;
  input.sizes = {Dim{4}, Dim{6}};
  input.fill.seed = seed;
  test_case.program.inputs = {input, input};
  test_case.program.inputs[0].layout = layout;
  test_case.program.nodes = {Node{"aten::add.Tensor", {Argument{ValueRef{-1, 0}}, Argument{ValueRef{-1, 1}}}}};
  test_case.program.outputs = {ValueRef{0, 0}};
  return test_case;
}

const HostTensor& output_of(const Observation& seen) { return std::get<Returned>(seen.outcome).steps.at(0).outputs.at(0); }

// Counts what it is asked for.
class Counting final : public Session {
 public:
  Observation run(const Case& test_case, Path path) override {
    ++runs;
    if (throws) throw std::logic_error("no answer");
    return session_->run(test_case, path);
  }
  std::vector<Observation> run_all(std::span<const Case> cases, Path path, int batch) override { return session_->run_all(cases, path, batch); }
  std::map<std::string, std::string> versions() const override { return {}; }

  int runs = 0;
  bool throws = false;

 private:
  std::unique_ptr<Session> session_ = open_plain_session();
};

TEST(Witness, SeesEagerInputsAsACopyLaysThemOut) {
  Counting plain;
  Witness witness(plain);
  const std::vector<std::int64_t> row_major = {6, 1}, turned = {1, 4};
  EXPECT_EQ(output_of(witness.of(addition(LayoutKind::sliced), Path::eager)).strides, row_major);
  Case dense = addition(LayoutKind::transposed);
  dense.program.inputs[1].layout = LayoutKind::transposed;
  EXPECT_EQ(output_of(witness.of(dense, Path::eager)).strides, turned);
  for (TensorSpec& input : dense.program.inputs) {
    input.layout = LayoutKind::strided;
    input.strides = turned;
  }
  EXPECT_EQ(output_of(witness.of(dense, Path::eager)).strides, turned);
  for (TensorSpec& input : dense.program.inputs) input.strides = {1, 5};
  EXPECT_EQ(output_of(witness.of(dense, Path::eager)).strides, row_major);
}

TEST(Witness, RunsTorchsDecompositionsWhereItIsCompiled) {
  Counting plain;
  Witness witness(plain);
  const Case test_case = addition(LayoutKind::contiguous);
  EXPECT_EQ(output_of(witness.of(test_case, Path::compiled)).bytes, output_of(plain.run(test_case, Path::eager)).bytes);
  EXPECT_EQ(plain.runs, 1);  // the witness asked another session
}

TEST(Witness, AnswersForALayoutOncePerCompileKey) {
  Counting plain;
  Witness witness(plain);
  witness.layout_of(addition(LayoutKind::sliced, 1), Path::eager);
  witness.layout_of(addition(LayoutKind::sliced, 2), Path::eager);
  EXPECT_EQ(plain.runs, 1);
  witness.of(addition(LayoutKind::sliced, 2), Path::eager);  // values are another matter
  witness.of(addition(LayoutKind::sliced, 2), Path::eager);
  EXPECT_EQ(plain.runs, 2);
  witness.layout_of(addition(LayoutKind::expanded, 2), Path::eager);
  EXPECT_EQ(plain.runs, 3);
}

TEST(Witness, ForgetsWhatItKnewWhenItFails) {
  Counting plain;
  Witness witness(plain);
  witness.of(addition(LayoutKind::sliced), Path::eager);
  plain.throws = true;
  EXPECT_THROW(witness.of(addition(LayoutKind::expanded), Path::eager), std::logic_error);
  EXPECT_THROW(witness.layout_of(addition(LayoutKind::expanded), Path::eager), std::logic_error);
  EXPECT_THROW(witness.layout_of(addition(LayoutKind::sliced), Path::eager), std::logic_error);
}

}  // namespace
}  // namespace neuroncheck
