// What decides which programs may share a graph, and the graph's source.
#include <fmt/format.h>

#include "harness/compile_session.h"
#include "harness/eager_run.h"
#include "harness/operators.h"
#include "harness/python_source.h"

namespace neuroncheck {
namespace {

// Ops that a code generator hands to a library instead (a grouping of costs: a wrong entry changes no verdict).
const std::set<std::string>& library_ops() {
  static const std::set<std::string> kOps = {"mm",       "bmm",          "addmm",     "baddbmm",        "addmv",  "mv",          "dot",
                                             "linear",   "matmul",       "conv1d",    "conv2d",         "conv3d", "convolution", "sort",
                                             "topk",     "cumsum",       "cumprod",   "einsum",         "lstm",   "gru",         "median",
                                             "kthvalue", "searchsorted", "index_put", "scatter_reduce", "cummax", "cummin"};
  return kOps;
}

std::string base_name(const std::string& op) {
  const auto colons = op.find("::");
  return op.substr(colons + 2, op.rfind('.') - colons - 2);
}

bool raises_on_cpu(const Case& test_case) {
  try {
    const StepOf of{test_case, Path::eager, 0, at::Device(at::kCPU)};
    run_step(of, make_inputs(of));
    return false;
  } catch (const std::logic_error&) {
    throw;
  } catch (const std::exception&) {
    return true;
  }
}

}  // namespace

Traits traits_of(const Case& test_case, Path path) {
  Traits traits;
  traits.alone = raises_on_cpu(test_case);
  traits.gradient = is_backward(path);
  traits.repeats = repeats_of(test_case);
  for (const Node& node : test_case.program.nodes) {
    const c10::OperatorHandle op = find_operator(node.op);
    traits.mutates = traits.mutates || op.schema().is_mutable();
    traits.aliases = traits.aliases || returns_view(op.schema());
    traits.random = traits.random || op.hasTag(at::Tag::nondeterministic_seeded);
    traits.library_kernels = traits.library_kernels || library_ops().contains(base_name(node.op));
  }
  return traits;
}

std::string batch_source(std::span<const Case* const> programs, Symbols symbols, const std::string& device) {
  std::string parameters, numbers, body, results;
  const std::string device_expression = fmt::format("torch.device(\"{}\")", device);
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const Program& program = programs[p]->program;
    const std::string prefix = fmt::format("p{}_", p);
    for (std::size_t i = 0; i < program.inputs.size(); ++i) parameters += fmt::format("{}x{}, ", prefix, i);
    for (int s = 0; symbols == Symbols::open && s < program.symbols; ++s) numbers += fmt::format("{}s{}, ", prefix, s);
    const SymbolValues bound = symbols == Symbols::open ? SymbolValues{} : programs[p]->bindings.at(0).symbols;
    body += python_statements(program, bound, prefix, 4, device_expression);
    results += python_outputs(program, prefix) + ", ";
  }
  return fmt::format("def batch({}{}):\n{}    return ({})\n", parameters, numbers, body, results);
}

}  // namespace neuroncheck
