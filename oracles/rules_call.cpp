// What rules are made of: precision of a dtype, arguments of a call, consumption of a pair.
#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/native/TypeProperties.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/number_format.h"
#include "harness/program_runner.h"
#include "oracles/rules.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Dtype dtype_of_type(at::ScalarType type) {
  for (const Dtype dtype : kAllDtypes) {
    if (scalar_type(dtype) == type) return dtype;
  }
  throw std::logic_error(std::string("the reference has no format for ") + c10::toString(type));
}

decltype(Step::height) height_of(SummationHeight height) {
  switch (height) {
    case SummationHeight::sequential:
      return sequential_height;
    case SummationHeight::tiled:
      return tiled_height;
    case SummationHeight::pairwise:
      return pairwise_height;
  }
  throw std::logic_error("unknown summation height");
}

Step step_of(const Profile& profile, Dtype dtype, const NumberFormat& computed) {
  const NumberFormat& accumulator = format_of(accumulator_of(profile, dtype));
  // Where the device computes in float64 the reference's own roundings are as large as the device's.
  const double own = accumulator.precision >= 53 ? 2.0 : 1.0;
  const bool flushes = profile.flush_outputs != FlushPolicy::keep;
  Step step;
  step.unit = own * accumulator.unit_roundoff();
  step.smallest = accumulator.smallest_normal();
  step.tiny = flushes ? step.smallest : own * accumulator.smallest_subnormal() / 2.0;
  step.largest = accumulator.largest;
  step.summation = profile.accumulator_factor;
  step.height = height_of(profile.height);
  step.tile = profile.tile;
  step.precision = accumulator.precision;
  step.output_largest = computed.largest;
  step.output_unit = computed.unit_roundoff();
  step.output_tiny = computed.smallest_subnormal() / 2.0;
  return step;
}

// What is exact and fits the format is not changed by rounding. Of a float64 the reference has rounded it itself, unless it ends in zeros, as what is
// made of short numbers does: products of two of 23 bits have 46.
bool may_round(double value, const NumberFormat& format) {
  if (format.precision < 53) return round_to(format, value) != value;
  return value != 0.0 && lowest_bit(value) * 0x1p46 <= std::abs(value);
}

// Rounding and conversion of single numbers on the way into a rule.
struct Consumption {
  const NumberFormat* narrowing = nullptr;   // demotion of a leaf: the value itself is rounded
  const NumberFormat* rounding = nullptr;    // an optional rounding
  const NumberFormat* conversion = nullptr;  // an optional conversion to another dtype
  double flushed_below = 0.0;

  bool nothing() const { return narrowing == nullptr && rounding == nullptr && conversion == nullptr && flushed_below == 0.0; }

  Pair apply(Pair a) const {
    if (std::isfinite(a.value)) {
      const bool rounds = rounding != nullptr && (a.bound > 0.0 || may_round(a.value, *rounding));
      if (rounds) a.bound += rounding->unit_roundoff() * (std::abs(a.value) + a.bound) + rounding->smallest_subnormal() / 2.0;
      if (narrowing != nullptr) a.value = round_to(*narrowing, a.value);
      const bool overflows = rounds && std::abs(a.value) + a.bound > rounding->largest;
      if (overflows) a.bound = kInfinity;
      if (conversion != nullptr) a.bound += std::abs(a.value - round_to(*conversion, a.value));
      if (std::abs(a.value) < flushed_below) a.bound += std::abs(a.value);
    }
    return a;
  }
};

Consumption consumption_of(const PairTensor& pair, at::ScalarType target, Context& context) {
  Consumption result;
  const bool floating = at::isFloatingType(pair.shown);
  if (floating) {
    const Precision& own = context.precision(pair.shown);
    const bool demotes = own.stored != own.computed && !pair.narrowed;
    const bool in_doubt = demotes && context.profile().demotion_in_doubt;
    if (demotes && !in_doubt) result.narrowing = own.computed;
    if (!pair.representable || in_doubt) result.rounding = own.computed;
    if (context.profile().flush_inputs != FlushPolicy::keep) result.flushed_below = own.computed->smallest_normal();
  }
  if (at::isFloatingType(target) && target != pair.shown && pair.shown != at::kBool) {
    const Precision& wanted = context.precision(target);
    const bool widens = floating && context.precision(pair.shown).computed->precision <= wanted.computed->precision &&
                        context.precision(pair.shown).computed->exponent_min >= wanted.computed->exponent_min;
    if (!widens) result.conversion = wanted.computed;
  }
  return result;
}

}  // namespace

const Precision& Context::precision(at::ScalarType shown) {
  if (at::isComplexType(shown)) shown = c10::toRealValueType(shown);  // of each part
  const auto found = precisions_.find(shown);
  if (found != precisions_.end()) return found->second;
  const Dtype dtype = dtype_of_type(shown);
  Precision& made = precisions_[shown];
  made.stored = &format_of(dtype);
  made.computed = &format_of(computed_in(profile_, dtype));
  made.step = step_of(profile_, dtype, *made.computed);
  made.step.exp_error = function_error("exp", made);
  made.step.log_error = function_error("log", made);
  made.step.rsqrt_error = function_error("rsqrt", made);
  made.step.erf_error = function_error("erf", made);
  return made;
}

double Context::function_error(const std::string& name, const Precision& precision) const {
  const auto found = profile_.function_ulp.find(name);
  const bool correctly_rounded = name == "div" || name == "sqrt";  // unless the profile says otherwise
  const double unlisted = correctly_rounded ? 0.0 : profile_.default_function_ulp;
  const double ulps = found == profile_.function_ulp.end() ? unlisted : found->second;
  return 2.0 * ulps * precision.step.unit;  // one ulp is at most 2u of the value
}

void Context::weaken(Strength strength, const std::string& why) {
  if (strength <= strength_) return;
  strength_ = strength;
  why_ = why;
}

int Call::index_of(std::string_view argument) const {
  const auto& parameters = op_.schema().arguments();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name() == argument) return static_cast<int>(i);
  }
  return -1;
}

const c10::IValue* Call::named(std::string_view argument) const {
  const int i = index_of(argument);
  return i < 0 ? nullptr : &arguments_[static_cast<std::size_t>(i)];
}

bool Call::is_scalar(std::size_t i) const {
  c10::TypePtr type = op_.schema().arguments()[i].type();
  if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  return type->kind() == c10::TypeKind::NumberType || (op_.schema().arguments()[i].name() == "value" && type->kind() == c10::TypeKind::FloatType);
}

std::vector<at::Tensor> Call::tensors() const {
  std::vector<at::Tensor> result;
  for (const c10::IValue& argument : arguments_) {
    if (argument.isTensor() && argument.toTensor().defined()) result.push_back(argument.toTensor());
    if (!argument.isList()) continue;
    for (const c10::IValue& element : argument.toListRef()) {
      if (element.isTensor() && element.toTensor().defined()) result.push_back(element.toTensor());
    }
  }
  return result;
}

at::ScalarType Call::promoted(const std::vector<int>& operands) const {
  at::native::ResultTypeState state{};
  for (const int operand : operands) {
    const c10::IValue& argument = arguments_[static_cast<std::size_t>(operand)];
    if (argument.isTensor() && argument.toTensor().defined()) state = at::native::update_result_type_state(argument.toTensor(), state);
    if (argument.isScalar()) state = at::native::update_result_type_state(argument.toScalar(), state);
  }
  return at::native::result_type(state);
}

at::ScalarType Call::dtype_or(at::ScalarType otherwise) const {
  const c10::IValue* dtype = named("dtype");
  return dtype != nullptr && dtype->isInt() ? static_cast<at::ScalarType>(dtype->toInt()) : otherwise;
}

std::vector<c10::IValue> Call::substituted(const Substitution& of, const std::vector<c10::IValue>& arguments) const {
  const auto plain = [&](const at::Tensor& tensor) { return tensor.defined() ? of(unwrap(tensor)) : tensor; };
  torch::jit::Stack stack;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const c10::IValue& argument = arguments[i];
    if (argument.isTensor()) {
      stack.emplace_back(plain(argument.toTensor()));
    } else if (argument.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& tensor : argument.toTensorVector()) list.push_back(plain(tensor));
      stack.emplace_back(std::move(list));
    } else if (argument.isList() && op_.schema().arguments()[i].type()->str().find("Tensor?[]") == 0) {
      c10::List<std::optional<at::Tensor>> list;
      for (const c10::IValue& element : argument.toListRef()) {
        list.push_back(element.isNone() ? std::optional<at::Tensor>() : std::optional<at::Tensor>(plain(element.toTensor())));
      }
      stack.emplace_back(std::move(list));
    } else {
      stack.push_back(argument);
    }
  }
  const int dtype = index_of("dtype");
  if (dtype >= 0 && stack[static_cast<std::size_t>(dtype)].isInt() && carries_a_bound(dtype_or(at::kLong))) {
    stack[static_cast<std::size_t>(dtype)] = static_cast<std::int64_t>(at::isComplexType(dtype_or(at::kLong)) ? at::kComplexDouble : at::kDouble);
  }
  return stack;
}

std::vector<at::Tensor> Call::run(const Substitution& of, std::vector<c10::IValue> arguments) const {
  torch::jit::Stack stack = substituted(of, arguments);
  {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    op_.callBoxed(stack);
  }
  std::vector<at::Tensor> results;
  for (const c10::IValue& value : stack) {
    if (value.isTensor()) results.push_back(value.toTensor());
    if (value.isScalar()) results.push_back(at::scalar_tensor(value.toScalar(), at::TensorOptions(value.toScalar().type())));
    if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) results.push_back(tensor);
    }
  }
  return results;
}

std::vector<at::Tensor> Call::run_on(const std::vector<at::Tensor>& tensors, std::vector<c10::IValue> arguments) const {
  std::size_t next = 0;
  return run([&](const PairTensor&) { return tensors.at(next++); }, std::move(arguments));
}

std::vector<c10::IValue> Call::arguments_on(const std::vector<at::Tensor>& tensors) const {
  std::size_t next = 0;
  return substituted([&](const PairTensor&) { return tensors.at(next++); }, arguments_);
}

PairTensor consumed(const PairTensor& pair, at::ScalarType target, Context& context) {
  const Consumption consumption = consumption_of(pair, target, context);
  PairTensor result = pair;
  result.companion = nullptr;
  if (pair.value.scalar_type() != at::kDouble) result.value = pair.value.to(at::kDouble);
  if (consumption.nothing()) return result;
  const bool dense = result.value.is_non_overlapping_and_dense() && (!pair.bound.defined() || pair.bound.strides() == result.value.strides());
  const at::Tensor value = dense ? result.value : result.value.contiguous();
  const at::Tensor bound = dense || !pair.bound.defined() ? pair.bound : pair.bound.contiguous();
  at::Tensor new_value = at::empty_like(value), new_bound = at::empty_like(value);
  const double* v = value.const_data_ptr<double>();
  const double* d = bound.defined() ? bound.const_data_ptr<double>() : nullptr;
  double* out_v = new_value.mutable_data_ptr<double>();
  double* out_d = new_bound.mutable_data_ptr<double>();
  bool any = false;
  for (std::int64_t i = 0; i < value.numel(); ++i) {
    const Pair after = consumption.apply({v[i], d == nullptr ? 0.0 : d[i]});
    out_v[i] = after.value;
    out_d[i] = after.bound;
    any = any || after.bound != 0.0;
  }
  result.value = new_value;
  result.bound = any ? new_bound : at::Tensor();
  return result;
}

PairTensor consumed(const at::IValue& argument, at::ScalarType target, Context& context) {
  if (argument.isTensor()) return consumed(unwrap(argument.toTensor()), target, context);
  const at::Scalar scalar = argument.toScalar();
  const bool floating = scalar.isFloatingPoint();  // then it may be rounded to a narrower format, or not: see unwrap()
  PairTensor number{at::scalar_tensor(scalar, at::kDouble), {}, floating ? at::kDouble : at::kLong, !floating, floating, nullptr};
  return consumed(number, target, context);
}

at::Tensor magnitude(const PairTensor& pair) {
  at::Tensor result = pair.value.abs();
  return pair.bound.defined() ? result.add_(pair.bound) : result;
}

at::Tensor bound_or_zeros(const PairTensor& pair) { return pair.bound.defined() ? pair.bound : at::zeros(pair.value.sizes(), at::kDouble); }

at::Tensor without_zeros(const at::Tensor& bound) {
  if (!bound.defined() || bound.numel() == 0) return {};
  const at::Tensor flat = bound.is_non_overlapping_and_dense() ? bound : bound.contiguous();
  const double* d = flat.const_data_ptr<double>();
  for (std::int64_t i = 0; i < flat.numel(); ++i) {
    if (d[i] != 0.0) return bound;
  }
  return {};
}

}  // namespace neuroncheck::oracles
