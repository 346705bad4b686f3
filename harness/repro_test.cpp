#include "harness/repro.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace neuroncheck {
namespace {

TensorSpec spec_of(Dtype dtype, LayoutKind layout, FillKind fill = FillKind::normal) {
  TensorSpec spec;
  spec.dtype = dtype;
  spec.sizes = {Dim{2, -1}, Dim{3, -1}};
  spec.layout = layout;
  spec.fill.kind = fill;
  spec.fill.parameter = 3;
  return spec;
}

Target cpu() {
  Target target;
  target.name = "cpu";
  target.compile_backend = "aot_eager";
  return target;
}

// The script's exit code.
int run(const std::string& script) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "neuroncheck_repro_test.py";
  std::ofstream(file) << script;
  const std::string log = file.string() + ".log";
  const int status = std::system(fmt::format("{} {} > {} 2>&1", NEURONCHECK_PYTHON, file.string(), log).c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::ifstream lines(log);
  std::string line, last;
  while (std::getline(lines, line)) last = line;
  EXPECT_EQ(last, code == 0 ? "same" : "DIFFERENT") << script;
  return code;
}

Argument input(int i) { return {ValueRef{-1, i}}; }

TEST(Repro, RunsAgainWhatDiffersOnlyNowAndThen) {
  Case test_case;
  test_case.program.inputs.push_back(spec_of(Dtype::float32, LayoutKind::contiguous, FillKind::constant));
  test_case.program.inputs.front().sizes = {Dim{1, -1}};
  test_case.program.nodes.push_back(Node{"aten::bernoulli.p", {input(0), {0.02}}});
  test_case.program.outputs.push_back(ValueRef{0, 0});
  EXPECT_EQ(run(repro_script(test_case, cpu(), {.runs = 500})), 1);
}

TEST(Repro, AgreesWithItselfInEveryDtypeAndLayout) {
  Case test_case;
  for (const Dtype dtype : kAllDtypes) {
    const LayoutKind layout = test_case.program.inputs.size() % 2 == 0 ? LayoutKind::sliced : LayoutKind::expanded;
    const FillKind fill = is_integer(dtype) || dtype == Dtype::bool_ ? FillKind::index : FillKind::special;
    const int number = static_cast<int>(test_case.program.inputs.size());
    test_case.program.inputs.push_back(spec_of(dtype, layout, dtype == Dtype::complex64 ? FillKind::normal : fill));
    test_case.program.nodes.push_back(Node{"aten::clone", {input(number)}});
    test_case.program.outputs.push_back(ValueRef{number, 0});
  }
  EXPECT_EQ(run(repro_script(test_case, cpu(), {})), 0);
}

TEST(Repro, TakesGradientsThroughACompiledTrajectory) {
  Case test_case;
  test_case.program.symbols = 1;
  test_case.program.inputs = {spec_of(Dtype::float32, LayoutKind::contiguous), spec_of(Dtype::float32, LayoutKind::transposed)};
  for (TensorSpec& spec : test_case.program.inputs) {
    spec.sizes[0] = Dim{0, 0};
    spec.requires_grad = true;
  }
  test_case.program.nodes = {Node{"aten::mul.Tensor", {input(0), input(1)}},
                             Node{"aten::reshape", {{ValueRef{0, 0}}, {ArgumentList{{std::int64_t{3}}, {SymbolRef{0}}}}}}};
  test_case.program.outputs = {ValueRef{1, 0}};
  test_case.bindings = {Binding{{2}}, Binding{{4}}};
  test_case.backward = {Backward{}};
  const std::string script = repro_script(test_case, cpu(), {.path = Path::compiled_backward});
  EXPECT_EQ(run(script), 0);
  EXPECT_EQ(script.find("neuroncheck"), std::string::npos) << "it stands alone";
}

TEST(Repro, SaysWhenTheSidesDiffer) {
  Case test_case;
  test_case.program.nodes = {Node{"aten::rand", {{ArgumentList{{std::int64_t{4}}}}}}};
  test_case.program.outputs = {ValueRef{0, 0}};
  EXPECT_EQ(run(repro_script(test_case, cpu(), {})), 1);
}

}  // namespace
}  // namespace neuroncheck
