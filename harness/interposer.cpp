#include <c10/util/Exception.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/library.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "harness/operators.h"
#include "harness/placement.h"

namespace neuroncheck {
namespace {

enum class Role { device_kernel, device_fallback, host_kernel };

std::string full_name(const c10::OperatorHandle& op) {
  const c10::OperatorName& name = op.operator_name();
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

// Ops that move or describe data without computing.
bool is_movement(const c10::OperatorHandle& op) {
  static const std::set<std::string> kMovement = {"aten::_copy_from",
                                                  "aten::_copy_from_and_resize",
                                                  "aten::copy_",
                                                  "aten::_to_copy",
                                                  "aten::clone",
                                                  "aten::_local_scalar_dense",
                                                  "aten::resize_",
                                                  "aten::set_",
                                                  "aten::empty",
                                                  "aten::empty_strided",
                                                  "aten::new_empty",
                                                  "aten::record_stream",
                                                  "aten::new_empty_strided",
                                                  "aten::empty_like",
                                                  "aten::contiguous",
                                                  "aten::resolve_conj"};
  return kMovement.contains(op.operator_name().name) || returns_view(op.schema());
}

// A vendor's own ops, such as the one that runs a compiled graph, are no sign of an op-by-op run.
bool is_compute(const c10::OperatorHandle& op) { return op.operator_name().getNamespace() == "aten" && !is_movement(op); }

struct Frame {
  std::string op;
  bool fallback = false;
  bool host_work = false;
  std::int64_t copies = 0, bytes = 0;
};

template <typename Visit>
void for_each_tensor(const c10::Stack& stack, std::size_t count, Visit visit) {
  for (std::size_t i = stack.size() - std::min(count, stack.size()); i < stack.size(); ++i) {
    const c10::IValue& value = stack[i];
    if (value.isTensor() && value.toTensor().defined()) {
      visit(value.toTensor());
    } else if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) visit(tensor);
    } else if (value.isOptionalTensorList()) {
      for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector()) {
        if (tensor && tensor->defined()) visit(*tensor);
      }
    }
  }
}

class Watch {
 public:
  void start() {
    const std::lock_guard lock(mutex_);
    seen_ = {};
    frames_.clear();
    tainted_.clear();
    caller_ = std::this_thread::get_id();
    watching_ = true;
  }

  Sighting stop() {
    watching_ = false;
    const std::lock_guard lock(mutex_);
    tainted_.clear();
    return std::exchange(seen_, {});
  }

  // Kernels on other threads are the device's own business.
  bool counts_here() const { return watching_ && (std::this_thread::get_id() == caller_ || torch::autograd::get_current_graph_task_id() != -1); }

  void enter_device(const c10::OperatorHandle& op, Role role) {
    const std::lock_guard lock(mutex_);
    std::vector<Frame>& frames = frames_[std::this_thread::get_id()];
    if (frames.empty()) {
      ++seen_.device_kernels;
      if (is_compute(op)) ++seen_.dispatches;
    }
    frames.push_back({full_name(op), role == Role::device_fallback, false, 0, 0});
  }

  void leave_device() {
    const std::lock_guard lock(mutex_);
    std::vector<Frame>& frames = frames_[std::this_thread::get_id()];
    const Frame frame = frames.back();
    frames.pop_back();
    if (frame.fallback || frame.host_work) {
      add({frame.op, frame.copies, frame.bytes});
    } else if (!frames.empty()) {  // a copy, or a helper: its caller pays
      frames.back().copies += frame.copies;
      frames.back().bytes += frame.bytes;
    }
  }

  void copied(const at::Tensor& from, const at::Tensor& to) {
    if (from.is_cpu() == to.is_cpu()) return;
    const std::lock_guard lock(mutex_);
    if (to.is_cpu()) taint(to);
    std::vector<Frame>& frames = frames_[std::this_thread::get_id()];
    if (frames.empty()) return;
    frames.back().copies += 1;
    frames.back().bytes += static_cast<std::int64_t>(from.nbytes());
  }

  // Returns whether the results are made from device data.
  bool enter_host(const c10::OperatorHandle& op, const c10::Stack& stack) {
    const std::lock_guard lock(mutex_);
    bool from_device = false;
    for_each_tensor(stack, op.schema().arguments().size(), [&](const at::Tensor& tensor) { from_device = from_device || is_tainted(tensor); });
    if (!from_device || is_movement(op)) return from_device;
    std::vector<Frame>& frames = frames_[std::this_thread::get_id()];
    if (frames.empty()) {
      add({full_name(op), 0, 0});
    } else {
      frames.back().host_work = true;
    }
    return true;
  }

  void leave_host(const c10::OperatorHandle& op, const c10::Stack& stack) {
    const std::lock_guard lock(mutex_);
    for_each_tensor(stack, op.schema().returns().size(), [&](const at::Tensor& tensor) { taint(tensor); });
  }

 private:
  void add(const FallbackUse& use) {
    for (FallbackUse& known : seen_.fallbacks) {
      if (known.op != use.op) continue;
      known.copies += use.copies;
      known.bytes += use.bytes;
      return;
    }
    seen_.fallbacks.push_back(use);
  }

  // Weak references keep a storage's address from being given to another one while the window is open.
  void taint(const at::Tensor& tensor) {
    if (tensor.has_storage()) tainted_.emplace(tensor.storage().unsafeGetStorageImpl(), tensor.storage().getWeakStorageImpl());
  }
  bool is_tainted(const at::Tensor& tensor) const { return tensor.has_storage() && tainted_.contains(tensor.storage().unsafeGetStorageImpl()); }

  std::atomic<bool> watching_{false};
  std::thread::id caller_;
  std::mutex mutex_;
  Sighting seen_;
  std::map<std::thread::id, std::vector<Frame>> frames_;
  std::map<const c10::StorageImpl*, c10::weak_intrusive_ptr<c10::StorageImpl>> tainted_;
};

class DeviceScope {
 public:
  DeviceScope(Watch& watch, const c10::OperatorHandle& op, Role role) : watch_(watch) { watch_.enter_device(op, role); }
  ~DeviceScope() { watch_.leave_device(); }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  Watch& watch_;
};

class WrappedKernel final : public c10::OperatorKernel {
 public:
  WrappedKernel(Watch& watch, Role role, c10::SafeKernelFunction kernel) : watch_(watch), role_(role), kernel_(std::move(kernel)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, c10::Stack* stack) {
    if (!watch_.counts_here()) return kernel_.callBoxed(op, keys, stack);
    if (role_ == Role::host_kernel) {
      const bool from_device = watch_.enter_host(op, *stack);
      kernel_.callBoxed(op, keys, stack);
      if (from_device) watch_.leave_host(op, *stack);
      return;
    }
    const DeviceScope scope(watch_, op, role_);
    const std::string& name = op.operator_name().name;
    if (name != "aten::_copy_from" && name != "aten::_copy_from_and_resize") return kernel_.callBoxed(op, keys, stack);
    const std::size_t first = stack->size() - op.schema().arguments().size();
    const at::Tensor from = (*stack)[first].toTensor(), to = (*stack)[first + 1].toTensor();
    kernel_.callBoxed(op, keys, stack);
    watch_.copied(from, to);
  }

 private:
  Watch& watch_;
  Role role_;
  c10::SafeKernelFunction kernel_;
};

bool enters_fallback(const c10::OperatorHandle& op) {
  using Key = c10::DispatchKey;
  for (const Key key :
       {Key::PrivateUse1, Key::CompositeExplicitAutograd, Key::CompositeImplicitAutograd, Key::CompositeExplicitAutogradNonFunctional}) {
    if (op.hasKernelForDispatchKey(key)) return false;
  }
  return c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(Key::PrivateUse1);
}

class Silence final : public c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

}  // namespace

struct Interposer::Parts {
  Watch watch;
  std::set<std::string> unregistered;
  std::map<std::pair<std::string, c10::DispatchKey>, std::unique_ptr<torch::Library>> libraries;

  void wrap(const c10::OperatorHandle& op, c10::DispatchKey key, Role role) {
    const std::string space(op.operator_name().getNamespace().value_or("aten"));
    auto& library = libraries[{space, key}];
    if (!library) library = std::make_unique<torch::Library>(torch::Library::IMPL, space, key, __FILE__, __LINE__);
    auto kernel = std::make_unique<WrappedKernel>(watch, role, op.getComputedKernelForDispatchKey(key));
    library->impl(full_name(op).c_str(), torch::CppFunction::makeFromBoxedKernel(c10::BoxedKernel::makeFromFunctor(std::move(kernel))));
  }
};

Interposer::Interposer() : parts_(std::make_unique<Parts>()) {
  Silence silence;
  const c10::WarningUtils::WarningHandlerGuard quiet(&silence);  // "Overriding a previously registered kernel" is what is meant here
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op) continue;
    if (op->hasKernelForDispatchKey(c10::DispatchKey::PrivateUse1)) {
      parts_->wrap(*op, c10::DispatchKey::PrivateUse1, Role::device_kernel);
    } else if (enters_fallback(*op)) {
      parts_->unregistered.insert(full_name(*op));
      parts_->wrap(*op, c10::DispatchKey::PrivateUse1, Role::device_fallback);
    }
    if (op->hasKernelForDispatchKey(c10::DispatchKey::CPU)) parts_->wrap(*op, c10::DispatchKey::CPU, Role::host_kernel);
  }
}

Interposer::~Interposer() = default;
void Interposer::start() { parts_->watch.start(); }
Sighting Interposer::stop() { return parts_->watch.stop(); }

std::vector<std::string> Interposer::unregistered_ops(const Program& program) const {
  std::vector<std::string> ops;
  for (const Node& node : program.nodes) {
    if (parts_->unregistered.contains(node.op)) ops.push_back(node.op);
  }
  return ops;
}

}  // namespace neuroncheck
