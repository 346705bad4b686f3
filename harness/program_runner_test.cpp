#include "harness/program_runner.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "harness/python_source.h"
#include "harness/session.h"

namespace neuroncheck {
namespace {

TensorSpec spec_of(std::vector<std::int64_t> sizes, LayoutKind layout = LayoutKind::contiguous, FillKind fill = FillKind::normal) {
  TensorSpec spec;
  for (const std::int64_t size : sizes) spec.sizes.push_back(Dim{size, -1});
  spec.layout = layout;
  spec.fill.kind = fill;
  spec.fill.seed = 7;
  return spec;
}

Argument input(int i) { return {ValueRef{-1, i}}; }
Argument integers(std::initializer_list<std::int64_t> numbers) {
  ArgumentList list;
  for (const std::int64_t number : numbers) list.push_back({number});
  return {list};
}

Case one_op(const std::string& op, std::vector<TensorSpec> inputs, ArgumentList arguments, int outputs = 1) {
  Case test_case;
  test_case.program.inputs = std::move(inputs);
  test_case.program.nodes = {Node{op, std::move(arguments)}};
  for (int i = 0; i < outputs; ++i) test_case.program.outputs.push_back(ValueRef{0, i});
  return test_case;
}

const Returned& returned(const Observation& seen) { return std::get<Returned>(seen.outcome); }
const Raised& raised(const Observation& seen) { return std::get<Raised>(seen.outcome); }

constexpr LayoutKind kLayouts[] = {LayoutKind::contiguous, LayoutKind::transposed, LayoutKind::sliced, LayoutKind::offset};

TEST(ProgramRunner, GivesTheSameValuesInEveryLayout) {
  const at::Tensor plain = make_cpu_tensor(spec_of({3, 5}), {});
  for (const LayoutKind layout : kLayouts) EXPECT_TRUE(at::equal(make_cpu_tensor(spec_of({3, 5}, layout), {}), plain)) << name_of(layout);
}

TEST(ProgramRunner, KeepsTheFirstOfElementsThatShareMemory) {
  const at::Tensor plain = make_cpu_tensor(spec_of({3, 5}), {});
  const at::Tensor expanded = make_cpu_tensor(spec_of({3, 5}, LayoutKind::expanded), {});
  EXPECT_EQ(expanded.stride(0), 0);
  EXPECT_TRUE(at::equal(expanded[2], plain[0]));
}

TEST(ProgramRunner, ShowsTheSameValuesWhenLaidOutContiguously) {
  TensorSpec overlapping = spec_of({3, 2, 4}, LayoutKind::strided);
  overlapping.strides = {2, 0, 1};
  overlapping.offset = 5;
  for (TensorSpec spec : {spec_of({3, 5}, LayoutKind::expanded), spec_of({3, 5}, LayoutKind::sliced), spec_of({3, 5}), overlapping}) {
    const at::Tensor before = make_cpu_tensor(spec, {});
    make_contiguous(spec);
    EXPECT_TRUE(make_cpu_tensor(spec, {}).is_contiguous());
    EXPECT_TRUE(at::equal(make_cpu_tensor(spec, {}), before));
  }
}

TEST(ProgramRunner, PoisonsWhatNoElementUses) {
  const at::Tensor sliced = make_cpu_tensor(spec_of({2, 4}, LayoutKind::sliced), {});
  const auto elements = static_cast<std::int64_t>(sliced.storage().nbytes() / sliced.element_size());
  const at::Tensor flat = sliced.as_strided({elements}, {1}, 0);
  EXPECT_EQ(flat.isnan().sum().item<std::int64_t>(), elements - 8);
  EXPECT_EQ(sliced.isnan().sum().item<std::int64_t>(), 0);
}

TEST(ProgramRunner, LeavesPoisonAloneWhenAnOpWritesInPlace) {
  const at::Tensor sliced = make_cpu_tensor(spec_of({2, 4}, LayoutKind::sliced), {});
  const Case test_case = one_op("aten::add_.Scalar", {spec_of({2, 4})}, {input(0), {1.0}});
  const std::vector<at::Tensor> inputs = {sliced};
  const auto outputs = run_program(test_case.program, inputs, {}, at::kCPU);
  const auto elements = static_cast<std::int64_t>(sliced.storage().nbytes() / sliced.element_size());
  EXPECT_EQ(sliced.as_strided({elements}, {1}, 0).isnan().sum().item<std::int64_t>(), elements - 8);
  EXPECT_TRUE(to_host(outputs[0], inputs).is_input);
}

TEST(ProgramRunner, SeesWritesBehindAndBetweenElements) {
  TensorSpec spec = spec_of({2, 4}, LayoutKind::sliced);
  for (const Dtype dtype : {Dtype::bool_, Dtype::int16, Dtype::bfloat16, Dtype::float32}) {
    spec.dtype = dtype;
    const at::Tensor tensor = make_cpu_tensor(spec, {});
    tensor.zero_();
    EXPECT_FALSE(input_to_host(tensor, spec, {}, {}).guard_broken);
    const auto elements = static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
    const at::Tensor flat = tensor.as_strided({elements}, {1}, 0);
    flat[1].zero_();
    EXPECT_TRUE(input_to_host(tensor, spec, {}, {}).guard_broken) << name_of(dtype);
  }
  const at::Tensor tensor = make_cpu_tensor(spec, {});
  tensor.as_strided({1}, {1}, static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size()) - 1).zero_();
  EXPECT_TRUE(input_to_host(tensor, spec, {}, {}).guard_broken);
}

TEST(ProgramRunner, TellsWhichInputAnOutputShares) {
  const Case test_case = one_op("aten::t", {spec_of({2, 3})}, {input(0)});
  const auto seen = open_plain_session()->run(test_case, Path::eager);
  const HostTensor& output = returned(seen).steps.at(0).outputs.at(0);
  EXPECT_EQ(output.alias_of_input, 0);
  EXPECT_FALSE(output.is_input);
  EXPECT_EQ(output.strides, (std::vector<std::int64_t>{1, 3}));
}

TEST(ProgramRunner, ReadsNegativeAndConjugateViews) {
  TensorSpec complex = spec_of({3});
  complex.dtype = Dtype::complex64;
  const Case test_case = one_op("aten::_conj", {complex}, {input(0)});
  const auto seen = open_plain_session()->run(test_case, Path::eager);
  const at::Tensor expected = make_cpu_tensor(complex, {}).conj().resolve_conj();
  const HostTensor& output = returned(seen).steps.at(0).outputs.at(0);
  EXPECT_EQ(std::memcmp(output.bytes.data(), expected.const_data_ptr(), output.bytes.size()), 0);
}

TEST(ProgramRunner, ConvertsArgumentsByTheSchema) {
  const auto session = open_plain_session();
  const auto ok = [&](const Case& test_case) { return std::holds_alternative<Returned>(session->run(test_case, Path::eager).outcome); };
  EXPECT_TRUE(ok(one_op("aten::sum.dim_IntList", {spec_of({2, 3})}, {input(0), integers({1}), {true}, {Dtype::float64}})));
  EXPECT_TRUE(ok(one_op("aten::zeros", {}, {integers({2, 3}), {Dtype::bfloat16}})));
  EXPECT_TRUE(ok(one_op("aten::clone", {spec_of({1, 2, 3, 4})}, {input(0), {std::string("torch.channels_last")}})));
  EXPECT_TRUE(ok(one_op("aten::cat", {spec_of({2}), spec_of({3})}, {{ArgumentList{input(0), input(1)}}, {std::int64_t{0}}})));
  EXPECT_TRUE(ok(one_op("aten::gelu", {spec_of({2})}, {input(0), {std::string("tanh")}})));
  EXPECT_TRUE(ok(one_op("aten::add.Tensor", {spec_of({2})}, {input(0), {2.5}})));
  EXPECT_TRUE(ok(one_op("aten::max_pool2d", {spec_of({1, 1, 4, 4})}, {input(0), {std::int64_t{2}}})));
}

TEST(ProgramRunner, FlattensListsOfOutputs) {
  const Case test_case = one_op("aten::unbind.int", {spec_of({3, 2})}, {input(0)}, 3);
  EXPECT_EQ(returned(open_plain_session()->run(test_case, Path::eager)).steps.at(0).outputs.size(), 3u);
}

TEST(PlainSession, NamesErrorsAsPythonDoes) {
  const auto session = open_plain_session();
  const auto error_of = [&](const Case& test_case) { return raised(session->run(test_case, Path::eager)).error_class; };
  EXPECT_EQ(error_of(one_op("aten::mm", {spec_of({2, 3}), spec_of({2, 3})}, {input(0), input(1)})), "RuntimeError");
  EXPECT_EQ(error_of(one_op("aten::sum.dim_IntList", {spec_of({2})}, {input(0), integers({5})})), "IndexError");
  EXPECT_EQ(error_of(one_op("aten::mm", {spec_of({2, 3})}, {input(0)})), "TypeError");
  TensorSpec whole = spec_of({2}, LayoutKind::contiguous, FillKind::exact_integer);
  whole.dtype = Dtype::float8_e5m2;
  EXPECT_EQ(error_of(one_op("aten::sin", {whole}, {input(0)})), "NotImplementedError");
}

TEST(PlainSession, TakesGradientsWithGivenGradOutputs) {
  Case test_case = one_op("aten::mul.Tensor", {spec_of({4}), spec_of({4})}, {input(0), input(1)});
  test_case.program.inputs[0].requires_grad = true;
  test_case.backward = {Backward{}};
  const auto seen = open_plain_session()->run(test_case, Path::eager_backward);
  const Step& step = returned(seen).steps.at(0);
  ASSERT_EQ(step.outputs.size(), 1u);
  const at::Tensor output = make_cpu_tensor(test_case.program.inputs[0], {});
  const at::Tensor expected = make_grad_output(test_case, 0, 0, output) * make_cpu_tensor(test_case.program.inputs[1], {});
  EXPECT_EQ(std::memcmp(step.outputs[0].bytes.data(), expected.const_data_ptr(), step.outputs[0].bytes.size()), 0);
}

TEST(PlainSession, CountsAGradientThatIsMissingAsZeros) {
  Case test_case = one_op("aten::neg", {spec_of({2}), spec_of({3})}, {input(0)});
  for (TensorSpec& spec : test_case.program.inputs) spec.requires_grad = true;
  test_case.backward = {Backward{}};
  const Step step = returned(open_plain_session()->run(test_case, Path::eager_backward)).steps.at(0);
  ASSERT_EQ(step.outputs.size(), 2u);
  EXPECT_EQ(number_at(step.outputs[1], 2), 0.0);
  EXPECT_EQ(step.outputs[1].sizes, (std::vector<std::int64_t>{3}));
}

// torch's gradient of sgn is zeros without memory.
TEST(PlainSession, ReadsGradientsThatHaveNoMemory) {
  Case test_case = one_op("aten::sgn", {spec_of({2})}, {input(0)});
  test_case.program.inputs[0].requires_grad = true;
  test_case.backward = {Backward{}};
  const Step step = returned(open_plain_session()->run(test_case, Path::eager_backward)).steps.at(0);
  EXPECT_EQ(number_at(step.outputs.at(0), 1), 0.0);
}

TEST(PlainSession, RunsEveryStepOnFreshInputs) {
  Case test_case = one_op("aten::add_.Scalar", {spec_of({1})}, {input(0), {1.0}});
  test_case.program.inputs[0].sizes = {Dim{0, 0}};
  test_case.program.symbols = 1;
  test_case.bindings = {Binding{{2}}, Binding{{5}}};
  const Returned seen = returned(open_plain_session()->run(test_case, Path::eager));
  ASSERT_EQ(seen.steps.size(), 2u);
  EXPECT_EQ(seen.steps[1].inputs_after[0].sizes, (std::vector<std::int64_t>{5}));
  EXPECT_EQ(seen.steps[1].inputs_after[0].bytes, seen.steps[1].outputs[0].bytes);
}

TEST(PythonSource, PrintsWhatRuns) {
  Case test_case = one_op("aten::add.Tensor", {spec_of({2}), spec_of({2})}, {input(0), input(1), {std::int64_t{2}}});
  EXPECT_EQ(python_statements(test_case.program, {}, "p0_", 2, "device"), "  p0_n0 = torch.ops.aten.add.Tensor(p0_x0, p0_x1, alpha=2)\n");
  EXPECT_EQ(python_outputs(test_case.program, "p0_"), "(p0_n0, )");
}

TEST(PythonSource, PrintsWhatJsonCannot) {
  const Case test_case = one_op("aten::full", {}, {integers({2}), {std::numeric_limits<double>::infinity()}, {Dtype::float16}});
  EXPECT_EQ(python_statements(test_case.program, {}, "", 0, "device"),
            "n0 = torch.ops.aten.full.default([2], float(\"inf\"), dtype=torch.float16, device=device)\n");
}

TEST(PythonSource, PicksOneOfSeveralOutputs) {
  const Case test_case = one_op("aten::max.dim", {spec_of({2, 3})}, {input(0), {std::int64_t{1}}}, 2);
  EXPECT_EQ(python_outputs(test_case.program, ""), "(n0[0], n0[1], )");
}

}  // namespace
}  // namespace neuroncheck
