#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "harness/program_runner.h"
#include "oracles/reference.h"

namespace neuroncheck::oracles {
namespace {

TensorSpec spec(Dtype dtype, std::vector<std::int64_t> sizes, Fill fill) {
  TensorSpec result;
  result.dtype = dtype;
  for (const std::int64_t size : sizes) result.sizes.push_back(Dim{.size = size});
  result.fill = std::move(fill);
  return result;
}

Fill fill_of(FillKind kind) {
  Fill fill;
  fill.kind = kind;
  return fill;
}

Fill normal(std::uint64_t seed) {
  Fill fill = fill_of(FillKind::normal);
  fill.seed = seed;
  return fill;
}

Fill constant(double value) {
  Fill fill = fill_of(FillKind::constant);
  fill.low = value;
  return fill;
}

Fill literal(std::vector<std::uint64_t> bits) {
  Fill fill = fill_of(FillKind::literal);
  fill.bits = std::move(bits);
  return fill;
}

Argument input(int i) { return {ValueRef{-1, i}}; }
Argument result(int node, int i) { return {ValueRef{node, i}}; }

Case program(std::vector<TensorSpec> inputs, std::vector<Node> nodes, std::vector<ValueRef> outputs) {
  Case test_case;
  test_case.program.inputs = std::move(inputs);
  test_case.program.nodes = std::move(nodes);
  test_case.program.outputs = std::move(outputs);
  return test_case;
}

// The plain CPU run, as the session makes it.
Returned plain_run(const Case& test_case) {
  Returned returned;
  for (std::size_t step = 0; step < test_case.bindings.size(); ++step) {
    std::vector<at::Tensor> inputs;
    const SymbolValues& symbols = test_case.bindings[step].symbols;
    for (std::size_t i = 0; i < test_case.program.inputs.size(); ++i) inputs.push_back(make_cpu_tensor(input_at_step(test_case, i, step), symbols));
    neuroncheck::Step& made = returned.steps.emplace_back();
    for (const at::Tensor& output : run_program(test_case.program, inputs, symbols, at::Device(at::kCPU)))
      made.outputs.push_back(to_host(output, inputs));
  }
  return returned;
}

class EvaluateTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const bool once = (register_reference_backend(), true);
    ASSERT_TRUE(once);
  }

  Reference reference_of(const Case& test_case) { return evaluate(test_case, plain_run(test_case), profile_); }
  Bounded first_output(const Case& test_case) { return reference_of(test_case).steps.at(0).outputs.at(0); }

  Profile profile_;
};

TEST_F(EvaluateTest, AddHasNoBounds) {
  const Bounded output = first_output(program({spec(Dtype::bfloat16, {3, 4}, normal(1)), spec(Dtype::bfloat16, {4}, normal(2))},
                                              {{"aten::add.Tensor", {input(0), input(1)}}}, {{0, 0}}));
  EXPECT_EQ(output.dtype, Dtype::bfloat16);
  EXPECT_EQ(output.sizes, (std::vector<std::int64_t>{3, 4}));
  EXPECT_TRUE(output.bounds.empty());
}

TEST_F(EvaluateTest, EmptyAndZeroDimensional) {
  EXPECT_TRUE(first_output(program({spec(Dtype::float32, {0, 4}, normal(1))}, {{"aten::exp", {input(0)}}}, {{0, 0}})).values.empty());
  EXPECT_EQ(first_output(program({spec(Dtype::float32, {}, constant(0.0))}, {{"aten::exp", {input(0)}}}, {{0, 0}})).values, std::vector<double>{1.0});
  EXPECT_EQ(first_output(program({spec(Dtype::float32, {0, 4}, normal(1))}, {{"aten::sum", {input(0)}}}, {{0, 0}})).values, std::vector<double>{0.0});
}

TEST_F(EvaluateTest, SelectionSaysWhatIndicesSelect) {
  const Case test_case = program({spec(Dtype::float32, {3, 4}, normal(1))}, {{"aten::max.dim", {input(0), {std::int64_t{1}}}}}, {{0, 0}, {0, 1}});
  const ReferenceStep step = reference_of(test_case).steps.at(0);
  ASSERT_TRUE(step.outputs.at(1).selection.has_value());
  const Selection& selection = *step.outputs.at(1).selection;
  EXPECT_EQ(selection.dim, 1);
  EXPECT_EQ(selection.ties, TieRule::first);
  const std::vector<double>& values = step.outputs.at(0).values;
  EXPECT_EQ(selection.selected, std::vector<long double>(values.begin(), values.end()));
  EXPECT_EQ(selection.source_sizes, (std::vector<std::int64_t>{3, 4}));
  EXPECT_FALSE(step.outputs.at(0).selection.has_value());
}

TEST_F(EvaluateTest, ArgmaxSelectsFromTheFlattenedTensor) {
  const ReferenceStep step = reference_of(program({spec(Dtype::float32, {3, 4}, normal(1))}, {{"aten::argmax", {input(0)}}}, {{0, 0}})).steps.at(0);
  const Selection& selection = *step.outputs.at(0).selection;
  EXPECT_EQ(selection.source_sizes, std::vector<std::int64_t>{12});
  EXPECT_EQ(selection.selected.at(0), *std::max_element(selection.source.begin(), selection.source.end()));
}

// 2^-140 may be flushed: whether it is below 2^-141 is in doubt, and the bool that out= writes says so.
TEST_F(EvaluateTest, WhatOutWritesMayBeInDoubt) {
  profile_.flush_inputs = FlushPolicy::either;
  const TensorSpec tiny = spec(Dtype::float32, {1}, constant(std::ldexp(1.0, -140))),
                   smaller = spec(Dtype::float32, {1}, constant(std::ldexp(1.0, -141)));
  for (const char* op : {"aten::lt.Tensor_out", "aten::logical_and.out"}) {
    const Bounded output =
        first_output(program({tiny, smaller, spec(Dtype::bool_, {1}, constant(1.0))}, {{op, {input(0), input(1), input(2)}}}, {{0, 0}}));
    EXPECT_EQ(output.dtype, Dtype::bool_);
    EXPECT_EQ(output.bounds, std::vector<double>{1.0}) << op;
  }
}

// 1 + 2^-40 and 1 are the same float32: a device that narrows may select either.
TEST_F(EvaluateTest, SelectionIsAmongNarrowedValues) {
  profile_.demotes_float64 = true;
  const TensorSpec source = spec(Dtype::float64, {2}, literal({0x3ff0000000000000, 0x3ff0000000001000}));
  const ReferenceStep step = reference_of(program({source}, {{"aten::max.dim", {input(0), {std::int64_t{0}}}}}, {{0, 0}, {0, 1}})).steps.at(0);
  EXPECT_EQ(step.outputs.at(1).selection->source, (std::vector<long double>{1.0, 1.0}));
}

// As float64 they would be equal, and the first of them the one to select.
TEST_F(EvaluateTest, SelectionTellsLargeIntegersApart) {
  const TensorSpec source = spec(Dtype::int64, {2}, literal({0x7ffffffffffffffe, 0x7fffffffffffffff}));
  const Bounded output = first_output(program({source}, {{"aten::argmax", {input(0), {std::int64_t{0}}}}}, {{0, 0}}));
  EXPECT_EQ(output.integers, std::vector<std::int64_t>{1});
  EXPECT_NE(output.selection->source.at(0), output.selection->source.at(1));
}

// 1e-60 is zero in float32, and the personality of zero is what the device shows.
TEST_F(EvaluateTest, PersonalityClassesAreThoseOfNarrowedValues) {
  profile_.demotes_float64 = true;
  profile_.personality = {{"aten::rsqrt", 0, "zero", "nan", true, ""}};
  const Case test_case = program({spec(Dtype::float64, {1}, constant(1e-60))}, {{"aten::rsqrt", {input(0)}}}, {{0, 0}});
  EXPECT_TRUE(std::isnan(first_output(test_case).values.at(0)));
}

TEST_F(EvaluateTest, PersonalityLeavesNanOfTheOtherArgument) {
  profile_.personality = {{"aten::remainder", 0, "infinity", "argument0", true, ""}};
  const Node remainder{"aten::remainder.Tensor", {input(0), input(1)}};
  const TensorSpec infinite = spec(Dtype::float32, {1}, constant(INFINITY));
  EXPECT_TRUE(std::isnan(first_output(program({infinite, spec(Dtype::float32, {1}, constant(NAN))}, {remainder}, {{0, 0}})).values.at(0)));
  EXPECT_TRUE(std::isinf(first_output(program({infinite, spec(Dtype::float32, {1}, constant(2.0))}, {remainder}, {{0, 0}})).values.at(0)));
}

TEST_F(EvaluateTest, IndexSelectOfAScalarAndItsGradient) {
  Case test_case = program({spec(Dtype::float32, {}, constant(2.0)), spec(Dtype::int64, {1}, constant(0.0))},
                           {{"aten::index_select", {input(0), {std::int64_t{0}}, input(1)}}}, {{0, 0}});
  test_case.program.inputs[0].requires_grad = true;
  test_case.backward = {{constant(1.0)}};
  EXPECT_NO_THROW(reference_of(test_case));
}

// Exact products of integers fit bfloat16: rounding them between ops changes nothing.
TEST_F(EvaluateTest, RoundingBetweenOpsLeavesExactRepresentableValuesAlone) {
  const Case test_case = program({spec(Dtype::bfloat16, {4}, constant(3.0))},
                                 {{"aten::mul.Tensor", {input(0), input(0)}}, {"aten::mul.Tensor", {result(0, 0), input(0)}}}, {{1, 0}});
  EXPECT_TRUE(first_output(test_case).bounds.empty());
}

TEST_F(EvaluateTest, MutationThroughAViewShowsInTheInput) {
  const Case test_case =
      program({spec(Dtype::float32, {3, 4}, constant(1.0)), spec(Dtype::int64, {2}, constant(7.0))},
              {{"aten::select.int", {input(0), {std::int64_t{0}}, {std::int64_t{1}}}}, {"aten::mul_.Scalar", {result(0, 0), {3.0}}}}, {{1, 0}});
  const ReferenceStep step = reference_of(test_case).steps.at(0);
  ASSERT_EQ(step.mutated_inputs, std::vector<int>{0});
  EXPECT_EQ(step.mutated.at(0).values.at(4), 3.0);
  EXPECT_EQ(step.mutated.at(0).values.at(3), 1.0);
}

TEST_F(EvaluateTest, FloatsFromIntegersComeFromTheRule) {
  const Bounded output = first_output(program({spec(Dtype::int64, {3}, constant(2.0))}, {{"aten::exp", {input(0)}}}, {{0, 0}}));
  EXPECT_EQ(output.dtype, Dtype::float32);
  EXPECT_EQ(output.values.at(0), std::exp(2.0));
  EXPECT_FALSE(output.bounds.empty());
}

TEST_F(EvaluateTest, ArangeOfIntegersIsExactAndOfFractionsIsNot) {
  const auto arange = [](double step) {
    return program({}, {{"aten::arange.start_step", {{0.0}, {1.0 + 10.0 * step}, {step}, {Dtype::float32}}}}, {{0, 0}});
  };
  EXPECT_TRUE(first_output(arange(0.5)).bounds.empty());
  EXPECT_FALSE(first_output(arange(0.1)).bounds.empty());
}

TEST_F(EvaluateTest, DemotionRoundsFloat64LeavesToFloat32) {
  profile_.demotes_float64 = true;
  profile_.demotion_exempt = {"aten::clone"};
  const TensorSpec tenth = spec(Dtype::float64, {1}, constant(0.1));
  const Bounded product = first_output(program({tenth, tenth}, {{"aten::mul.Tensor", {input(0), input(1)}}}, {{0, 0}}));
  EXPECT_EQ(product.computed_in, Dtype::float32);
  EXPECT_EQ(product.values.at(0), static_cast<double>(0.1F) * static_cast<double>(0.1F));
  const Bounded moved = first_output(program({tenth}, {{"aten::clone", {input(0)}}}, {{0, 0}}));
  EXPECT_EQ(moved.computed_in, Dtype::float64);
  EXPECT_EQ(moved.values.at(0), 0.1);
}

TEST_F(EvaluateTest, DemotionReachesWhatIsWritten) {
  profile_.demotes_float64 = profile_.demotes_int64 = true;
  const TensorSpec tenth = spec(Dtype::float64, {1}, constant(0.1));
  const Bounded root = first_output(program({tenth}, {{"aten::sqrt_", {input(0)}}}, {{0, 0}}));
  EXPECT_EQ(root.computed_in, Dtype::float32);
  EXPECT_EQ(root.values.at(0), std::sqrt(static_cast<double>(0.1F)));
  EXPECT_EQ(first_output(program({tenth, tenth, tenth}, {{"aten::mul.out", {input(0), input(1), input(2)}}}, {{0, 0}})).computed_in, Dtype::float32);
  const TensorSpec big = spec(Dtype::int64, {1}, literal({(1ULL << 32) + 5}));
  const Case in_place = program({big}, {{"aten::relu_", {input(0)}}}, {{0, 0}});
  EXPECT_EQ(first_output(in_place).integers.at(0), 5);
  const Case out = program({big, big, big}, {{"aten::sub.out", {input(0), input(1), {1}, input(2)}}}, {{0, 0}});
  EXPECT_EQ(first_output(out).integers.at(0), 0);
  EXPECT_EQ(reference_of(out).steps.at(0).mutated_inputs, std::vector<int>{2});
}

TEST_F(EvaluateTest, DemotionWrapsInt64Around) {
  profile_.demotes_int64 = true;
  const TensorSpec big = spec(Dtype::int64, {1}, literal({(1ULL << 31) + 5}));
  const Case test_case = program({big, spec(Dtype::int64, {1}, constant(1.0))}, {{"aten::add.Tensor", {input(0), input(1)}}}, {{0, 0}});
  EXPECT_EQ(first_output(test_case).integers.at(0), -2147483642);
  profile_.demotes_int64 = false;
  EXPECT_EQ(first_output(test_case).integers.at(0), 2147483654);
}

TEST_F(EvaluateTest, PersonalityGivesExactValues) {
  profile_.personality = {{.op = "aten::relu", .argument = 0, .when = "nan", .gives = "0", .documented = true, .source = "test"}};
  const TensorSpec values = spec(Dtype::float32, {2}, literal({0x7fc00000, 0x40000000}));
  EXPECT_EQ(first_output(program({values}, {{"aten::relu", {input(0)}}}, {{0, 0}})).values, (std::vector<double>{0.0, 2.0}));
  EXPECT_EQ(first_output(program({values}, {{"aten::relu_", {input(0)}}}, {{0, 0}})).values, (std::vector<double>{0.0, 2.0}));
}

TEST_F(EvaluateTest, GradientsComeInInputOrderAndUnusedOnesAreZero) {
  TensorSpec a = spec(Dtype::float32, {2, 3}, normal(1)), b = spec(Dtype::float32, {4}, normal(2));
  a.requires_grad = b.requires_grad = true;
  Case test_case = program({a, b}, {{"aten::mul.Scalar", {input(0), {2.0}}}}, {{0, 0}});
  test_case.backward = {{constant(1.0)}};
  const std::vector<Bounded> gradients = reference_of(test_case).steps.at(0).gradients;
  ASSERT_EQ(gradients.size(), 2U);
  EXPECT_EQ(gradients.at(0).values, std::vector<double>(6, 2.0));
  EXPECT_EQ(gradients.at(1).values, std::vector<double>(4, 0.0));
}

// Whether x equals the product is in doubt; the truth value that is written over was exact.
TEST_F(EvaluateTest, WhatInPlaceOpsWriteMayBeInDoubt) {
  const TensorSpec x = spec(Dtype::float32, {1}, constant(1.5)), y = spec(Dtype::float32, {1}, constant(1.1));
  const Bounded output = first_output(program({x, y},
                                              {{"aten::eq.Tensor", {input(0), input(0)}},
                                               {"aten::mul.Tensor", {input(0), input(1)}},
                                               {"aten::mul.Tensor", {input(1), input(0)}},
                                               {"aten::eq.Tensor", {result(1, 0), result(2, 0)}},
                                               {"aten::bitwise_and_.Tensor", {result(0, 0), result(3, 0)}}},
                                              {{0, 0}}));
  EXPECT_EQ(output.dtype, Dtype::bool_);
  EXPECT_EQ(output.bounds, std::vector<double>{1.0});
}

TEST_F(EvaluateTest, GradientsPassByStatisticsThatTheOpWrites) {
  TensorSpec x = spec(Dtype::float32, {4, 3}, normal(1));
  x.requires_grad = true;
  const TensorSpec ones = spec(Dtype::float32, {3}, constant(1.0));
  Case test_case = program({x, ones, ones, ones, ones},
                           {{"aten::native_batch_norm", {input(0), input(1), input(2), input(3), input(4), {true}, {0.5}, {1e-5}}}}, {{0, 0}});
  test_case.backward = {{normal(3)}};
  const ReferenceStep step = reference_of(test_case).steps.at(0);
  EXPECT_EQ(step.gradients.size(), 1U);
  EXPECT_EQ(step.mutated_inputs, (std::vector<int>{3, 4}));
}

TEST_F(EvaluateTest, DisagreementWithTheStructureIsOurError) {
  const Case test_case = program({spec(Dtype::float32, {2}, normal(1))}, {{"aten::exp", {input(0)}}}, {{0, 0}});
  Returned structure = plain_run(test_case);
  structure.steps.at(0).outputs.at(0).dtype = Dtype::bfloat16;
  EXPECT_THROW(evaluate(test_case, structure, profile_), std::logic_error);
}

}  // namespace
}  // namespace neuroncheck::oracles
