#include "oracles/custom_op.h"

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <fmt/format.h>
#include <torch/library.h>

#include <memory>
#include <utility>

#include "harness/operators.h"
#include "harness/user_error.h"
#include "oracles/reference_kernel.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

using c10::OperatorHandle;

OperatorHandle found(const std::string& op) {
  try {
    return find_operator(op);
  } catch (const std::logic_error&) {
    throw UserError(fmt::format("{}: torch knows no such operator: does a module of 'imports' register it?", op));
  }
}

at::Tensor widened(const at::Tensor& tensor) { return at::isFloatingType(tensor.scalar_type()) ? tensor.to(at::kDouble) : tensor; }

c10::IValue widened(const c10::IValue& argument) {
  if (argument.isTensor()) return argument.toTensor().defined() ? widened(argument.toTensor()) : argument;
  if (!argument.isTensorList()) return argument;
  c10::List<at::Tensor> list;
  for (const at::Tensor& tensor : argument.toTensorVector()) list.push_back(widened(tensor));
  return list;
}

void require_count(const std::string& what, const std::vector<at::Tensor>& results, const OperatorHandle& op) {
  const std::size_t wanted = op.schema().returns().size();
  if (results.size() == wanted) return;
  throw UserError(fmt::format("the {} of {} returns {} tensors, the operator {}", what, op.schema().name(), results.size(), wanted));
}

// Evaluates the reference in float64 and rounds floating results to the dtype of the first floating tensor.
class RoundedReference : public c10::OperatorKernel {
 public:
  explicit RoundedReference(CustomOp::Function reference) : reference_(std::move(reference)) {}

  void operator()(const OperatorHandle& op, c10::DispatchKeySet, torch::jit::Stack* stack) {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    std::vector<c10::IValue> arguments = torch::jit::pop(*stack, op.schema().arguments().size());
    at::ScalarType type = at::kDouble;
    for (auto it = arguments.rbegin(); it != arguments.rend(); ++it) {
      if (it->isTensor() && it->toTensor().defined() && at::isFloatingType(it->toTensor().scalar_type())) type = it->toTensor().scalar_type();
    }
    for (c10::IValue& argument : arguments) argument = widened(argument);
    const std::vector<at::Tensor> results = reference_(arguments);
    require_count("reference", results, op);
    for (const at::Tensor& result : results) {
      stack->emplace_back(at::isFloatingType(result.scalar_type()) ? result.to(type).contiguous() : result.contiguous());
    }
  }

 private:
  CustomOp::Function reference_;
};

torch::CppFunction kernel_of(const CustomOp& op) {
  return torch::CppFunction::makeFromBoxedKernel(c10::BoxedKernel::makeFromFunctor(std::make_unique<RoundedReference>(op.reference)));
}

// Registrations live as long as the process, as the dispatcher does.
torch::Library& library(torch::Library::Kind kind, const std::string& name_space, std::optional<c10::DispatchKey> key) {
  static std::vector<std::unique_ptr<torch::Library>> libraries;
  return *libraries.emplace_back(std::make_unique<torch::Library>(kind, name_space, key, __FILE__, __LINE__));
}

std::string name_space_of(const c10::FunctionSchema& schema) { return schema.name().substr(0, schema.name().find("::")); }

// An operator of the same schema whose CPU kernel is the reference: what the estimate moves the inputs of.
OperatorHandle reference_operator(const OperatorHandle& op, const CustomOp& custom) {
  const c10::OperatorName name("neuroncheck_" + op.schema().name(), op.schema().overload_name());
  const std::string name_space = "neuroncheck_" + name_space_of(op.schema());
  library(torch::Library::FRAGMENT, name_space, std::nullopt).def(op.schema().cloneWithName(name.name, name.overload_name));
  library(torch::Library::IMPL, name_space, c10::DispatchKey::CPU).impl(c10::toString(name).c_str(), kernel_of(custom));
  return find_operator(c10::toString(name));
}

// NaN and infinities of exact inputs are exact; of other values nothing is known where the stated bound is NaN.
at::Tensor stated_bound(const std::string& op, const at::Tensor& value, const at::Tensor& stated) {
  const at::Tensor values = value.contiguous(), bounds = stated.to(at::kDouble).expand(value.sizes()).contiguous().clone();
  const auto* v = values.const_data_ptr<double>();
  auto* d = bounds.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < bounds.numel(); ++i) {
    d[i] = settle(v[i], d[i], 0.0).bound;
    if (d[i] < 0.0) throw UserError(fmt::format("the bound of {} is negative", op));
  }
  return bounds;
}

// The results with no bound, where operands are exact; else with how far they move when operands do within theirs.
std::vector<PairTensor> unbounded_results(const Call& call, const std::vector<at::Tensor>& operands, bool in_doubt) {
  static const Rule kEstimated = estimated();
  if (in_doubt) return kEstimated(call);
  const std::vector<at::ScalarType> shown = shown_types(call);
  std::vector<PairTensor> results;
  for (const at::Tensor& value : call.run_on(operands)) {
    const at::ScalarType type = shown.at(results.size());
    results.push_back({value.contiguous(), {}, type, !at::isFloatingType(type), true, nullptr});
  }
  return results;
}

// The bound that the op's author states, besides what is in doubt of the operands.
std::vector<PairTensor> run_stated(const Call& call, const CustomOp::Function& bound) {
  Context& context = call.context();
  std::vector<at::Tensor> operands;
  at::ScalarType type = at::kDouble;
  bool in_doubt = false;
  for (const at::Tensor& tensor : call.tensors()) {
    const PairTensor pair = unwrap(tensor);
    const bool floating = at::isFloatingType(pair.shown);
    if (floating && type == at::kDouble) type = pair.shown;
    const PairTensor read = floating ? consumed(pair, pair.shown, context) : pair;
    in_doubt = in_doubt || read.bound.defined();
    operands.push_back(read.value);
  }
  std::vector<c10::IValue> arguments = {2.0 * context.precision(type).stored->unit_roundoff()};
  for (const c10::IValue& argument : call.arguments_on(operands)) arguments.push_back(argument);
  const std::vector<at::Tensor> bounds = bound(arguments);
  require_count("bound", bounds, call.op());
  std::vector<PairTensor> results = unbounded_results(call, operands, in_doubt);
  for (std::size_t i = 0; i < results.size(); ++i) {
    PairTensor& result = results[i];
    if (!at::isFloatingType(result.shown)) continue;
    result.bound = without_zeros(bound_or_zeros(result) + stated_bound(call.name(), result.value, bounds[i]));
  }
  return results;
}

// The reference evaluated in float32 shows how it accumulates, which moved inputs do not. Nothing where an operand is wider than that.
std::vector<at::Tensor> run_narrow(const Call& call, const CustomOp::Function& reference) {
  std::vector<at::Tensor> narrow;
  for (const at::Tensor& tensor : call.tensors()) {
    const PairTensor pair = unwrap(tensor);
    if (pair.shown == at::kDouble) return {};
    narrow.push_back(at::isFloatingType(pair.shown) ? pair.value.to(at::kFloat) : pair.value);
  }
  return reference(call.arguments_on(narrow));
}

Rule rule_for(const OperatorHandle& op, const CustomOp& custom) {
  const OperatorHandle evaluated = custom.reference ? reference_operator(op, custom) : op;
  Evaluation narrow;
  if (custom.reference) narrow = [reference = custom.reference](const Call& call) { return run_narrow(call, reference); };
  return [evaluated, bound = custom.bound, own = estimated({}, narrow)](const Call& call) {
    const Call on_reference(evaluated, call.arguments(), call.context());
    return bound ? run_stated(on_reference, bound) : own(on_reference);
  };
}

}  // namespace

void register_custom_op(const CustomOp& custom) {
  const OperatorHandle op = found(custom.op);
  if (op.schema().is_mutable())
    throw UserError(fmt::format("{} writes to its arguments: only operators that return new tensors can be judged", custom.op));
  const auto has = [&](c10::DispatchKey key) { return op.hasKernelForDispatchKey(key); };
  const bool decomposes = has(c10::DispatchKey::CompositeImplicitAutograd);
  const bool has_rule = has(c10::DispatchKey::PrivateUse2);
  if (!custom.reference && !custom.bound && (decomposes || has_rule)) return;  // the reference knows it already
  if (has_rule) throw UserError(fmt::format("{} has a rule of its own: leave 'reference' and 'bound' out", custom.op));
  const bool composite = decomposes || has(c10::DispatchKey::CompositeExplicitAutograd);
  const bool on_cpu = has(c10::DispatchKey::CPU) || composite;
  if (!on_cpu && !custom.reference) {
    throw UserError(fmt::format("{} exists only as a fake kernel on the CPU: give it a 'reference'", custom.op));
  }
  const std::string name_space = name_space_of(op.schema()), name = c10::toString(op.operator_name());
  if (!on_cpu) library(torch::Library::IMPL, name_space, c10::DispatchKey::CPU).impl(name.c_str(), kernel_of(custom));
  library(torch::Library::IMPL, name_space, c10::DispatchKey::PrivateUse2).impl(name.c_str(), reference_kernel(op, rule_for(op, custom)));
  // torch passes an op that has no gradients on to the device's kernel for every device but this one.
  if (has(c10::DispatchKey::Autograd)) return;
  library(torch::Library::IMPL, name_space, c10::DispatchKey::AutogradPrivateUse2).impl(name.c_str(), torch::CppFunction::makeFallthrough());
}

}  // namespace neuroncheck::oracles
