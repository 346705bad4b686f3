// Ops without a derived bound (reference.md section 1). A stable algorithm returns the exact result for inputs that are off by a rounding: so the op
// is evaluated in float64 on inputs moved by one unit roundoff of the accumulate dtype, eight times, and four times the largest deviation is allowed.
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/operators.h"
#include "harness/random.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kDraws = 8;
constexpr double kFactor = 4.0;

// All up, all down, then each element by itself.
double direction(std::uint64_t draw, std::uint64_t element) {
  if (draw < 2) return draw == 0 ? 1.0 : -1.0;
  return (philox(draw, element, 0)[0] & 1U) != 0 ? 1.0 : -1.0;
}

struct Operand {
  PairTensor pair;           // as it is read
  bool by_norm = false;      // a rounding is one of the norm of its matrix
  bool coordinates = false;  // in [-1, 1], which the op counts from 0 by adding 1: a rounding there is one of 1 + |x|
};

// Of each matrix its Frobenius norm, in the place of each entry.
at::Tensor norm_of_matrix(const at::Tensor& value) {
  if (value.dim() < 2 || value.numel() == 0) return value.abs();
  return value.square().sum({-2, -1}, true).sqrt().expand(value.sizes()).contiguous();
}

// LAPACK's algorithms are backward stable by norm, up to a factor that grows slowly with the size (Higham, Accuracy and Stability of Numerical
// Algorithms, 2002, chapters 9 to 20).
bool is_stable_by_norm(const std::string& op) { return op.find("linalg_") != std::string::npos; }

// Dense and in order: some CPU kernels read by the strides of dimensions of size 1.
at::Tensor canonical(const at::Tensor& value) { return at::empty(value.sizes(), value.options()).copy_(value); }

// Both parts of a complex number move, by what is a rounding of the larger one.
at::Tensor moved_parts(const PairTensor& input, double unit, std::uint64_t draw) {
  const at::Tensor result = input.value.contiguous().clone(), size = result.abs().contiguous();
  const at::Tensor bound = input.bound.defined() ? input.bound.contiguous() : at::zeros_like(size);
  auto* parts = at::view_as_real(result).mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < 2 * result.numel(); ++i) {
    const double step = bound.const_data_ptr<double>()[i / 2] + unit * size.const_data_ptr<double>()[i / 2];
    if (std::isfinite(parts[i])) parts[i] += direction(draw, static_cast<std::uint64_t>(i)) * step;
  }
  return result;
}

at::Tensor moved(const Operand& operand, double unit, std::uint64_t draw) {
  const PairTensor& input = operand.pair;
  if (input.value.is_complex()) return moved_parts(input, unit, draw);
  at::Tensor result = input.value.contiguous().clone();
  const at::Tensor bound = input.bound.defined() ? input.bound.contiguous() : at::Tensor();
  const auto* bounds = bound.defined() ? bound.const_data_ptr<double>() : nullptr;
  auto* x = result.mutable_data_ptr<double>();
  const at::Tensor norm = operand.by_norm ? norm_of_matrix(result) : at::Tensor();
  for (std::int64_t i = 0; i < result.numel(); ++i) {
    const double own = bounds != nullptr ? bounds[i] : 0.0;
    const double entry = norm.defined() ? norm.const_data_ptr<double>()[i] : std::abs(x[i]);
    const double size = (std::isfinite(entry) ? entry : std::abs(x[i])) + (operand.coordinates ? 1.0 : 0.0);
    if (std::isfinite(x[i])) x[i] += direction(draw, static_cast<std::uint64_t>(i)) * (own + unit * size);
  }
  return result;
}

// How far two results of one element are apart; nothing is known when only one of them is a number.
double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0.0;
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? kInfinity : difference;
}

struct Estimate {
  at::Tensor value;  // contiguous float64 or an integer
  at::Tensor moves;  // largest distance seen, per element
};

at::Tensor parts_of(const at::Tensor& value) {
  return value.is_complex() ? at::view_as_real(value.to(at::kComplexDouble).resolve_conj().contiguous()) : value.to(at::kDouble).contiguous();
}

void widen(Estimate& estimate, const at::Tensor& other) {
  if (other.sizes() != estimate.value.sizes()) {
    estimate.moves.fill_(kInfinity);  // even the number of results is in doubt
    return;
  }
  const at::Tensor a = parts_of(estimate.value), b = parts_of(other);
  const auto *of_a = a.const_data_ptr<double>(), *of_b = b.const_data_ptr<double>();
  auto* moves = estimate.moves.mutable_data_ptr<double>();
  const std::int64_t parts = estimate.value.is_complex() ? 2 : 1;
  for (std::int64_t i = 0; i < a.numel(); ++i) moves[i / parts] = std::max(moves[i / parts], distance(of_a[i], of_b[i]));
}

PairTensor floating_result(const Estimate& estimate, at::ScalarType shown, const Call& call) {
  const Precision& precision = call.context().precision(shown);
  double own_error = call.context().function_error(call.name().substr(call.name().find("::") + 2), precision);
  // A product or quotient of complex numbers is off by some roundings of its size (Brent, Percival, Zimmermann 2007: sqrt(5) u for the product).
  if (estimate.value.is_complex()) own_error = std::max(own_error, 8.0 * precision.step.unit);
  at::Tensor bound = at::empty_like(estimate.moves);
  const at::Tensor size = estimate.value.abs().contiguous();
  const auto *values = size.const_data_ptr<double>(), *moves = estimate.moves.const_data_ptr<double>();
  auto* bounds = bound.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < bound.numel(); ++i) {
    const double v = values[i];
    const double rounding = std::isfinite(v) ? own_error * v + precision.step.smallest : 0.0;
    bounds[i] = kFactor * moves[i] + rounding;
  }
  return {estimate.value, without_zeros(bound), shown, false, true, nullptr};
}

// Integers and truth values are exact or unknown.
PairTensor other_result(const Estimate& estimate, at::ScalarType shown) {
  const double unknown = shown == at::kBool ? 1.0 : kInfinity;
  return {estimate.value, without_zeros(estimate.moves.gt(0.0).to(at::kDouble).mul_(unknown).nan_to_num(0.0, kInfinity)), shown, true, true, nullptr};
}

void require_estimable(const c10::OperatorHandle& op) {
  const bool random = op.hasTag(at::Tag::nondeterministic_seeded);
  if (!random && !returns_view(op.schema()) && !op.schema().is_mutable()) return;
  throw std::logic_error(fmt::format("the reference has no rule for {}", op.schema().name()));
}

// Where floats are made of integers alone, the integers are read as floats.
PairTensor consumed_as(const PairTensor& pair, std::optional<at::ScalarType> made_of_integers, Context& context) {
  if (made_of_integers) {
    PairTensor read = consumed(pair, *made_of_integers, context);
    read.shown = *made_of_integers;
    return read;
  }
  return at::isFloatingType(pair.shown) ? consumed(pair, pair.shown, context) : pair;
}

std::vector<PairTensor> run_estimated(const Call& call, const std::vector<std::size_t>& coordinates, const Evaluation& also) {
  require_estimable(call.op());
  Context& context = call.context();
  context.weaken(Strength::estimated, fmt::format("no rule for {}", call.name()));
  const std::vector<at::ScalarType> shown = shown_types(call);
  const std::vector<at::Tensor> tensors_given = call.tensors();
  const bool integers = std::ranges::none_of(tensors_given, [](const at::Tensor& tensor) { return carries_a_bound(tensor.scalar_type()); });
  const auto floats = std::ranges::find_if(shown, [](at::ScalarType type) { return at::isFloatingType(type); });
  const std::optional<at::ScalarType> made_of_integers = integers && floats != shown.end() ? std::optional(*floats) : std::nullopt;
  std::vector<Operand> operands;
  for (const at::Tensor& tensor : tensors_given) {
    const PairTensor pair = unwrap(tensor);
    const bool are_coordinates = std::find(coordinates.begin(), coordinates.end(), operands.size()) != coordinates.end();
    operands.push_back({consumed_as(pair, made_of_integers, context), is_stable_by_norm(call.name()), are_coordinates});
  }
  const auto run = [&](const auto& of) {
    std::vector<at::Tensor> tensors;
    for (const Operand& operand : operands) tensors.push_back(carries_a_bound(operand.pair.shown) ? canonical(of(operand)) : operand.pair.value);
    return call.run_on(tensors);
  };
  std::vector<Estimate> estimates;
  for (const at::Tensor& value : run([](const Operand& operand) { return operand.pair.value; })) {
    estimates.push_back({value.resolve_conj().contiguous(), at::zeros(value.sizes(), at::kDouble)});
  }
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    const auto of = [&](const Operand& operand) { return moved(operand, context.precision(operand.pair.shown).step.unit, draw); };
    const std::vector<at::Tensor> results = run(of);
    for (std::size_t i = 0; i < estimates.size(); ++i) widen(estimates[i], results.at(i));
  }
  const std::vector<at::Tensor> further = also ? also(call) : std::vector<at::Tensor>();
  for (std::size_t i = 0; i < further.size(); ++i) {
    if (carries_a_bound(shown.at(i))) widen(estimates.at(i), further[i]);
  }
  std::vector<PairTensor> results;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const bool floating = carries_a_bound(shown.at(i));
    results.push_back(floating ? floating_result(estimates[i], shown[i], call) : other_result(estimates[i], shown[i]));
  }
  return results;
}

bool is_complex(const c10::IValue& value) {
  if (value.isTensor()) return value.toTensor().defined() && value.toTensor().is_complex();
  return value.isList() && std::ranges::any_of(value.toListRef(), is_complex);
}

// Among its operands, or asked for as the dtype of the result.
bool has_complex(const Call& call) { return std::ranges::any_of(call.arguments(), is_complex) || at::isComplexType(call.dtype_or(at::kLong)); }

}  // namespace

std::vector<at::ScalarType> shown_types(const Call& call) {
  std::vector<at::ScalarType> types;
  for (const at::Tensor& result : call.run([](const PairTensor& pair) { return pair.value.to(pair.shown); })) {
    const at::ScalarType type = result.scalar_type();
    const at::ScalarType wanted = carries_a_bound(type) ? call.dtype_or(type) : type;
    types.push_back(at::isComplexType(type) ? wanted : c10::toRealValueType(wanted));  // norms of complex numbers are real whatever dtype says
  }
  return types;
}

Rule estimated_where_complex(Rule rule) {
  return [rule = std::move(rule), estimate = estimated()](const Call& call) { return has_complex(call) ? estimate(call) : rule(call); };
}

Rule estimated(std::vector<std::size_t> coordinates, Evaluation also) {
  return [coordinates = std::move(coordinates), also = std::move(also)](const Call& call) { return run_estimated(call, coordinates, also); };
}

}  // namespace neuroncheck::oracles
