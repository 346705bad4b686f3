// The reference as a dispatcher backend: one boxed kernel for every op, which applies the op's rule.
#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <fmt/format.h>
#include <torch/library.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <stdexcept>

#include "oracles/active_context.h"
#include "oracles/reference.h"
#include "oracles/reference_kernel.h"
#include "oracles/rule_kinds.h"
#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {
namespace {

// The dispatcher hands a kernel nothing but its arguments: what belongs to the evaluation has to lie beside the stack. Set by ContextScope only.
thread_local Context* active_context = nullptr;

using c10::FunctionSchema;
using c10::OperatorHandle;

bool is_written(const c10::Argument& argument) { return argument.alias_info() != nullptr && argument.alias_info()->isWrite(); }

std::string base_of(const FunctionSchema& schema) {
  std::string name = schema.name();
  const bool in_place = !schema.arguments().empty() && is_written(schema.arguments()[0]) && name.back() == '_';
  if (in_place) name.pop_back();
  return name;
}

bool same_parameters(const FunctionSchema& writing, const FunctionSchema& functional) {
  const std::size_t count = functional.arguments().size();
  if (writing.arguments().size() < count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const c10::Argument &a = writing.arguments()[i], &b = functional.arguments()[i];
    if (a.is_out() || is_written(b) || *a.type() != *b.type()) return false;  // out is no operand: min.unary_out is not min.other
  }
  for (std::size_t i = count; i < writing.arguments().size(); ++i) {
    if (!is_written(writing.arguments()[i])) return false;
  }
  return true;
}

// An op that writes to arguments and returns other tensors, or nothing: its rule writes (_native_batch_norm_legit, _fused_adam_).
bool makes_results_of_its_own(const FunctionSchema& schema) {
  const auto& returns = schema.returns();
  return std::none_of(returns.begin(), returns.end(), [](const c10::Argument& result) { return result.alias_info() != nullptr; });
}

using ByName = std::map<std::string, std::vector<OperatorHandle>>;

// The functional op that an in-place or out= form computes; itself when it writes nothing.
std::optional<OperatorHandle> functional_form(const OperatorHandle& op, const ByName& by_name) {
  const FunctionSchema& schema = op.schema();
  if (!schema.is_mutable() || makes_results_of_its_own(schema)) return op;
  const auto candidates = by_name.find(base_of(schema));
  if (candidates == by_name.end()) return std::nullopt;
  std::optional<OperatorHandle> found;
  for (const OperatorHandle& candidate : candidates->second) {
    if (candidate.schema().is_mutable() || !same_parameters(schema, candidate.schema())) continue;
    if (!found || candidate.schema().overload_name() == schema.overload_name()) found = candidate;
  }
  return found;
}

class Kernel : public c10::OperatorKernel {
 public:
  Kernel(OperatorHandle functional, const Rule* rule) : functional_(std::move(functional)), rule_(rule) {}

  void operator()(const OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
    const auto& parameters = op.schema().arguments();
    std::vector<c10::IValue> arguments(stack->end() - static_cast<std::ptrdiff_t>(parameters.size()), stack->end());
    stack->erase(stack->end() - static_cast<std::ptrdiff_t>(parameters.size()), stack->end());
    if (rule_ == nullptr) throw std::logic_error(fmt::format("the reference has no rule for {}", op.schema().name()));
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    const std::vector<c10::IValue> passed(arguments.begin(),
                                          arguments.begin() + static_cast<std::ptrdiff_t>(functional_.schema().arguments().size()));
    std::vector<PairTensor> results = (*rule_)(Call(functional_, passed, current_context()));
    demote(functional_.schema().name(), results);
    apply_personality(functional_.schema().name(), passed, results);
    if (!op.schema().is_mutable() || makes_results_of_its_own(op.schema())) return push(op, results, *stack);
    write(op, arguments, results);
    std::size_t next = 0;
    for (std::size_t i = 0; i < parameters.size() && next < op.schema().returns().size(); ++i) {
      if (is_written(parameters[i])) stack->push_back(arguments[i]), ++next;
    }
  }

 private:
  // What a device that narrows float64 returns has been float32, unless the op is one that moves 64-bit values unchanged.
  static void demote(const std::string& op, std::vector<PairTensor>& results) {
    const Profile& profile = current_context().profile();
    if (!profile.demotes_float64 || profile.demotion_exempt.contains(op)) return;
    for (PairTensor& result : results) {
      if (!result.value.defined() || result.shown != at::kDouble || result.narrowed || result.companion) continue;
      result = consumed(result, at::kDouble, current_context());
      result.representable = result.narrowed = true;
    }
  }

  static void push(const OperatorHandle& op, const std::vector<PairTensor>& results, torch::jit::Stack& stack) {
    const auto& returns = op.schema().returns();
    if (returns.size() == 1 && returns[0].type()->kind() == c10::TypeKind::ListType) {
      c10::List<at::Tensor> list;
      for (const PairTensor& result : results) list.push_back(wrap(result));
      stack.emplace_back(std::move(list));
      return;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      const bool is_tensor = returns[std::min(i, returns.size() - 1)].type()->kind() == c10::TypeKind::TensorType;
      stack.push_back(is_tensor ? c10::IValue(wrap(results[i])) : number_of(op, results[i]));
    }
  }

  // A number cannot carry a bound.
  static c10::IValue number_of(const OperatorHandle& op, const PairTensor& result) {
    if (without_zeros(result.bound).defined()) throw std::logic_error(fmt::format("{} returns a number that is in doubt", op.schema().name()));
    const at::Scalar number = result.value.item();
    return number.isBoolean() ? c10::IValue(number.toBool()) : c10::IValue(number);
  }

  // Among values of full width, those of a device that narrows carry their rounding as a bound.
  static PairTensor settled(const PairTensor& result) {
    if (!result.narrowed || result.representable || !at::isFloatingType(result.shown)) return result;
    PairTensor rounded = consumed(result, result.shown, current_context());
    rounded.representable = true;
    return rounded;
  }

  static void write(const OperatorHandle& op, const std::vector<c10::IValue>& arguments, const std::vector<PairTensor>& results) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const c10::Argument& parameter = op.schema().arguments()[i];
      if (!is_written(parameter)) continue;
      const PairTensor& result = results.at(next++);
      const at::Tensor destination = arguments[i].toTensor();
      if (op.hasTag(at::Tag::inplace_view)) return relabel(destination, result);
      if (result.companion) throw std::logic_error(fmt::format("the reference has no rule for {}: it changes a view in place", op.schema().name()));
      if (parameter.is_out()) resize_to(destination, result.value.sizes());
      const bool floating = at::isFloatingType(result.shown) || at::isFloatingType(destination.scalar_type());
      const PairTensor cast = floating ? cast_pair(result, destination.scalar_type(), current_context()) : result;
      write_through(destination, is_part(destination) ? settled(cast) : cast);
    }
  }

  OperatorHandle functional_;
  const Rule* rule_;
};

// Composites with rules of their own: some write pairs into a plain tensor of their own making, and backends fuse silu_backward in an order that the
// composite does not show.
bool is_taken_whole(const OperatorHandle& op) {
  static const std::set<std::string> kSuch = {"aten::cummaxmin_backward", "aten::silu_backward", "aten::trace_backward",
                                              "aten::value_selecting_reduction_backward"};
  return kSuch.contains(op.schema().name());
}

bool needs_kernel(const OperatorHandle& op) {
  if (is_taken_whole(op)) return true;
  return op.schema().name().rfind("aten::", 0) == 0 && !op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

std::vector<OperatorHandle> all_operators() {
  std::vector<OperatorHandle> result;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (const auto op = c10::Dispatcher::singleton().findSchema(name)) result.push_back(*op);
  }
  return result;
}

}  // namespace

ContextScope::ContextScope(Context& context) : previous_(active_context) { active_context = &context; }
ContextScope::~ContextScope() { active_context = previous_; }

Context& current_context() {
  if (active_context == nullptr) throw std::logic_error("an op reached the reference outside of an evaluation");
  return *active_context;
}

namespace {

// The registrations live as long as the process, as the dispatcher does.
std::unique_ptr<torch::Library> register_kernels() {
  ByName by_name;
  const std::vector<OperatorHandle> operators = all_operators();
  for (const OperatorHandle& op : operators) by_name[op.schema().name()].push_back(op);
  static const Rule kEstimated = estimated();
  auto library = std::make_unique<torch::Library>(torch::Library::IMPL, "aten", c10::DispatchKey::PrivateUse2, __FILE__, __LINE__);
  for (const OperatorHandle& op : operators) {
    if (!needs_kernel(op)) continue;
    const auto functional = functional_form(op, by_name);
    const std::string name = c10::toString(op.operator_name());  // where an op has no functional form, its rule bears it
    const Rule* rule = functional ? rule_of(functional->schema().name(), functional->schema().overload_name()) : rule_of(name, "");
    const bool composite = op.hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd);
    if (rule == nullptr && composite) continue;  // decomposes into ops that may have one
    if (rule == nullptr && functional) rule = &kEstimated;
    auto kernel = std::make_unique<Kernel>(functional.value_or(op), rule);
    library->impl(name.c_str(), torch::CppFunction::makeFromBoxedKernel(c10::BoxedKernel::makeFromFunctor(std::move(kernel))));
  }
  return library;
}

// Composites that have a kernel of ours have none for autograd, which would take them apart.
std::unique_ptr<torch::Library> pass_by_autograd() {
  auto library = std::make_unique<torch::Library>(torch::Library::IMPL, "aten", c10::DispatchKey::AutogradPrivateUse2, __FILE__, __LINE__);
  for (const OperatorHandle& op : all_operators()) {
    if (!is_taken_whole(op) || op.hasKernelForDispatchKey(c10::DispatchKey::Autograd)) continue;
    library->impl(c10::toString(op.operator_name()).c_str(), torch::CppFunction::makeFallthrough());
  }
  return library;
}

}  // namespace

torch::CppFunction reference_kernel(const OperatorHandle& op, Rule rule) {
  static std::deque<Rule> rules;  // as long as the kernels
  const Rule* kept = &rules.emplace_back(std::move(rule));
  return torch::CppFunction::makeFromBoxedKernel(c10::BoxedKernel::makeFromFunctor(std::make_unique<Kernel>(op, kept)));
}

void register_reference_backend() { static const std::unique_ptr<torch::Library> kKernels = register_kernels(), kPassed = pass_by_autograd(); }

}  // namespace neuroncheck::oracles
