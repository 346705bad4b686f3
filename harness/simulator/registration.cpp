// Which ops the device has: what its list names (data/supported_2026_04.txt, or everything), as boxed kernels, below them torch's fallback, and the
// dispatcher ops by which tests and the Python package ask and steer the device.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <array>
#include <cstdlib>

#include "harness/simulator/fallback.h"
#include "harness/simulator/faults.h"
#include "harness/simulator/graph.h"
#include "harness/simulator/host_call.h"
#include "harness/simulator/memory.h"
#include "harness/simulator/movement.h"
#include "harness/simulator/state.h"

namespace neuroncheck::simulator {
namespace {

class EagerKernel final : public c10::OperatorKernel {
 public:
  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) { run_eager(op, stack); }
};

void fallback_kernel(const c10::OperatorHandle& op, torch::jit::Stack* stack) { fall_back(op, stack); }

bool has_kernel(const c10::OperatorHandle& op, c10::DispatchKey key) { return op.hasKernelForDispatchKey(key); }

bool is_foreign(const std::string& name) {
  constexpr std::array kForeign = {"quantize", "_nested", "sparse", "mkldnn", "_fw_primal", "_make_dual", "aten::copy_", "aten::record_stream"};
  return std::any_of(kForeign.begin(), kForeign.end(), [&](const char* part) { return name.find(part) != std::string::npos; });
}

// Composite ops reach the device through their leaves; a composite that is listed and has a derivative of its own is a kernel, as the vendor's is.
bool is_native(const c10::OperatorHandle& op, const std::set<std::string, std::less<>>& supported) {
  const std::string name = full_name(op);
  if (!name.starts_with("aten::") || is_foreign(name) || is_movement_kernel(name)) return false;
  if (has_kernel(op, c10::DispatchKey::CompositeImplicitAutograd)) return false;
  const bool cpu = has_kernel(op, c10::DispatchKey::CPU);
  const bool listed = supported.contains(name);
  if (cpu && (settings().all_native || is_view(op))) return true;
  return listed && (cpu || has_kernel(op, c10::DispatchKey::CompositeExplicitAutograd));
}

std::vector<c10::OperatorHandle> native_ops() {
  auto supported = read_names("supported_2026_04");
  if (settings().all_native) supported.insert({"aten::convolution", "aten::convolution_backward"});
  std::vector<c10::OperatorHandle> ops;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (op && is_native(*op, supported)) ops.push_back(*op);
  }
  return ops;
}

std::vector<std::string> native_op_names() {
  std::vector<std::string> names;
  for (const c10::OperatorHandle& op : native_ops()) names.push_back(full_name(op));
  return names;
}

// A library that throws while it is loaded ends its process without a word: what is wrong with the fault is said by the device's first allocation.
void set_initial_fault() {
  const char* text = std::getenv("NEURON_SIM_FAULT");
  if (text == nullptr) return;
  const std::string fault = text;
  const std::size_t colon = std::min(fault.find(':'), fault.size());
  try {
    set_fault(fault.substr(0, colon), colon < fault.size() ? fault.substr(colon + 1) : "");
  } catch (const c10::Error& error) {
    refuse_allocations(error.what_without_backtrace());
  }
}

TORCH_LIBRARY(neuron_sim, library) {
  library.def("get_executed_ops() -> str[]", [] { return tracker().executed_ops(); });
  library.def("get_fallback_ops() -> str[]", [] { return tracker().fallback_ops(); });
  library.def("clear_op_tracking() -> ()", [] { tracker().clear(); });
  library.def("native_ops() -> str[]", &native_op_names);
  library.def("names(str file) -> str[]", [](const std::string& file) {
    const auto names = read_names(file);
    return std::vector<std::string>(names.begin(), names.end());
  });
  library.def("supports_all() -> bool", [] { return settings().all_native; });
  library.def("fault_names() -> str[]", &fault_names);
  library.def("set_fault(str name, str severity) -> ()", [](const std::string& name, const std::string& severity) { set_fault(name, severity); });
  library.def("define_graph(str program, int replaces) -> int", &define_graph);
  library.def("run_graph(int graph, Tensor(a!)[] inputs) -> Tensor(a)?[]");  // a graph may write to its inputs and return them
  library.impl("run_graph", c10::DispatchKey::CompositeExplicitAutograd, &run_graph);
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  register_movement(library);
  for (const c10::OperatorHandle& op : native_ops()) {
    library.impl(full_name(op).c_str(), torch::CppFunction::makeFromBoxedKernel(c10::BoxedKernel::makeFromFunctor(std::make_unique<EagerKernel>())));
  }
  set_initial_fault();
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) { library.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback_kernel>()); }
TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, library) { library.fallback(torch::CppFunction::makeFallthrough()); }

// Without these a copy of a lazily conjugated tensor resolves it by another copy, for ever.
TORCH_LIBRARY_IMPL(aten, Conjugate, library) {
  library.impl("_copy_from", torch::CppFunction::makeFallthrough());
  library.impl("_copy_from_and_resize", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(aten, Negative, library) {
  library.impl("_copy_from", torch::CppFunction::makeFallthrough());
  library.impl("_copy_from_and_resize", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(aten, ZeroTensor, library) { library.impl("_copy_from", torch::CppFunction::makeFallthrough()); }

}  // namespace
}  // namespace neuroncheck::simulator
