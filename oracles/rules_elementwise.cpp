#include <ATen/ATen.h>
#include <ATen/WrapDimUtils.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/number_format.h"
#include "oracles/element_gradients.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

// Elements of one operand in the order of the result; a single element stands for all.
struct Reader {
  const double* value = nullptr;
  const double* bound = nullptr;
  std::int64_t advance = 1;

  Pair at(std::int64_t i) const { return {value[i * advance], bound == nullptr ? 0.0 : bound[i * advance]}; }
};

bool same_dense_layout(const std::vector<PairTensor>& operands, at::IntArrayRef sizes) {
  const at::Tensor* first = nullptr;
  for (const PairTensor& operand : operands) {
    for (const at::Tensor* tensor : {&operand.value, &operand.bound}) {
      if (!tensor->defined() || (tensor->numel() == 1 && tensor == &operand.value && !operand.bound.defined())) continue;
      if (first == nullptr) first = tensor;
      if (tensor->sizes() != sizes || tensor->strides() != first->strides()) return false;
    }
  }
  return first != nullptr && first->is_non_overlapping_and_dense();
}

at::IntArrayRef strides_of(const std::vector<PairTensor>& operands, at::IntArrayRef sizes) {
  for (const PairTensor& operand : operands) {
    if (operand.value.sizes() == sizes) return operand.value.strides();
  }
  return operands[0].value.strides();
}

std::vector<std::int64_t> broadcast_sizes(const std::vector<PairTensor>& operands) {
  std::vector<std::int64_t> sizes = operands[0].value.sizes().vec();
  for (std::size_t i = 1; i < operands.size(); ++i) sizes = at::infer_size(sizes, operands[i].value.sizes());
  return sizes;
}

void spread(std::vector<PairTensor>& operands, at::IntArrayRef sizes) {
  for (PairTensor& operand : operands) {
    if (operand.value.numel() == 1 && !operand.bound.defined()) continue;
    operand.value = operand.value.expand(sizes).contiguous();
    if (operand.bound.defined()) operand.bound = operand.bound.expand(sizes).contiguous();
  }
}

template <typename Output>
PairTensor apply(const std::vector<PairTensor>& operands, ElementFunction function, const Element& element, PairTensor result) {
  Reader readers[4];
  for (std::size_t j = 0; j < operands.size(); ++j) {
    readers[j].value = operands[j].value.const_data_ptr<double>();
    if (operands[j].bound.defined()) readers[j].bound = operands[j].bound.const_data_ptr<double>();
    if (operands[j].value.numel() == 1) readers[j].advance = 0;
  }
  Output* value = result.value.mutable_data_ptr<Output>();
  double* bound = nullptr;
  Pair x[4];
  for (std::int64_t i = 0; i < result.value.numel(); ++i) {
    for (std::size_t j = 0; j < operands.size(); ++j) x[j] = readers[j].at(i);
    const Pair y = function(x, element);
    value[i] = static_cast<Output>(y.value);
    if (y.bound == 0.0 && bound == nullptr) continue;
    if (bound == nullptr) {
      result.bound = at::empty_strided(result.value.sizes(), result.value.strides(), at::kDouble).zero_();
      bound = result.bound.mutable_data_ptr<double>();
    }
    bound[i] = y.bound;
  }
  return result;
}

PairTensor evaluate_elements(std::vector<PairTensor> operands, ElementFunction function, const Element& element, at::ScalarType shown) {
  const std::vector<std::int64_t> sizes = broadcast_sizes(operands);
  const bool dense = same_dense_layout(operands, sizes);
  if (!dense) spread(operands, sizes);
  const at::ScalarType stored = shown == at::kBool ? at::kBool : at::kDouble;
  PairTensor result;
  result.shown = shown;
  result.narrowed = true;
  result.value = dense ? at::empty_strided(sizes, strides_of(operands, sizes), stored) : at::empty(sizes, stored);
  return shown == at::kBool ? apply<bool>(operands, function, element, result) : apply<double>(operands, function, element, result);
}

bool any_ambiguous(const Call& call) {
  const auto tensors = call.tensors();
  return std::any_of(tensors.begin(), tensors.end(), [](const at::Tensor& tensor) { return without_zeros(unwrap(tensor).bound).defined(); });
}

// Integer results: the op itself on the values; a result that depends on an ambiguous element is ambiguous.
std::vector<PairTensor> on_integers(const Call& call) {
  std::vector<PairTensor> results;
  const auto values = call.run([](const PairTensor& pair) { return pair.value; });
  const bool ambiguous = any_ambiguous(call);
  for (const at::Tensor& value : values) {
    const double unknown = value.scalar_type() == at::kBool ? 1.0 : std::numeric_limits<double>::infinity();
    results.push_back({value, ambiguous ? at::full(value.sizes(), unknown, at::kDouble) : at::Tensor(), value.scalar_type(), true, true, nullptr});
  }
  return results;
}

std::vector<int> present(const Call& call, const std::vector<int>& operands) {
  std::vector<int> result;
  for (const int i : operands) {
    if (!call.argument(static_cast<std::size_t>(i)).isNone()) result.push_back(i);
  }
  return result;
}

bool is_condition(const Elementwise& row, std::size_t j) { return row.function == functions::choose && j == 0; }

std::vector<int> promoting(const Elementwise& row) {
  return row.function == functions::choose ? std::vector<int>(row.operands.begin() + 1, row.operands.end()) : row.operands;
}

std::vector<PairTensor> run_elementwise(const Call& call, const Elementwise& row) {
  const std::vector<int> operands = present(call, row.operands);
  at::ScalarType common = call.promoted(present(call, promoting(row)));
  const bool integral = !at::isFloatingType(common);
  if (integral && row.makes == Makes::boolean && any_ambiguous(call)) {
    common = at::kDouble;
  } else if (integral && row.makes != Makes::floating) {
    return on_integers(call);
  } else if (integral) {
    common = at::kFloat;
  }
  Context& context = call.context();
  const Precision& precision = context.precision(common);
  Element element{precision.step, row.error.empty() ? 0.0 : context.function_error(row.error, precision), {}};
  for (std::size_t i = 0; i < row.parameters.size(); ++i) element.parameter.at(i) = number(call, row.parameters[i]);
  if (row.prepare != nullptr) row.prepare(call, element);
  std::vector<PairTensor> inputs;
  for (std::size_t j = 0; j < operands.size(); ++j) {
    const c10::IValue& argument = call.argument(static_cast<std::size_t>(operands[j]));
    inputs.push_back(consumed(argument, is_condition(row, j) ? at::kBool : common, context));
  }
  const bool bounded = std::any_of(inputs.begin(), inputs.end(), [](const PairTensor& input) { return input.bound.defined(); });
  PairTensor result = evaluate_elements(std::move(inputs), row.function, element, row.makes == Makes::boolean ? at::kBool : common);
  result.representable = row.makes == Makes::selected || row.makes == Makes::boolean;
  // Truth values that happen to be sure stay wrapped, so that later in-place ops can make them ambiguous.
  if (bounded && result.shown == at::kBool && !result.bound.defined()) result.bound = at::zeros(result.value.sizes(), at::kDouble);
  return {result};
}

// The two halves of a tensor along a dimension.
struct Halves {
  PairTensor first, second;
  std::int64_t dim = 0;
  at::ScalarType shown = at::kFloat;
};

PairTensor half_of(const PairTensor& pair, std::int64_t dim, std::int64_t which) {
  const std::int64_t length = pair.value.size(dim) / 2;
  const auto part = [&](const at::Tensor& tensor) { return tensor.defined() ? tensor.narrow(dim, which * length, length) : tensor; };
  PairTensor half = pair;
  half.value = part(pair.value);
  half.bound = part(pair.bound);
  return half;
}

Halves halves_of(const Call& call, std::size_t argument, std::int64_t dim) {
  const at::ScalarType shown = call.pair(argument).shown;
  const PairTensor whole = consumed(call.pair(argument), shown, call.context());
  const std::int64_t wrapped = at::maybe_wrap_dim(dim, whole.value.dim());
  return {half_of(whole, wrapped, 0), half_of(whole, wrapped, 1), wrapped, shown};
}

}  // namespace

double number(const Call& call, std::string_view name) {
  const c10::IValue* argument = call.named(name);
  return argument == nullptr || argument->isNone() ? 0.0 : argument->toScalar().toDouble();
}

Rule plain() {
  return [](const Call& call) { return on_integers(call); };
}

Rule elementwise(Elementwise row) {
  return [row = std::move(row)](const Call& call) { return run_elementwise(call, row); };
}

Rule together(std::vector<Rule> rules) {
  return [rules = std::move(rules)](const Call& call) {
    std::vector<PairTensor> results;
    for (const Rule& rule : rules) results.push_back(rule(call).at(0));
    return results;
  };
}

Rule by_flag(std::size_t argument, const Rule& when_true, const Rule& when_false) {
  return [=](const Call& call) { return call.argument(argument).toBool() ? when_true(call) : when_false(call); };
}

Rule glu() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const Halves halves = halves_of(call, 0, call.argument(1).toInt());
    const Element element{call.context().precision(halves.shown).step, 0.0, {}};
    return {evaluate_elements({halves.first, halves.second}, functions::glu, element, halves.shown)};
  };
}

// glu_backward(grad, self, dim)
Rule glu_backward() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const Halves halves = halves_of(call, 1, call.argument(2).toInt());
    const Element element{call.context().precision(halves.shown).step, 0.0, {}};
    const PairTensor gradient = consumed(call.pair(0), halves.shown, call.context());
    PairTensor result = evaluate_elements({gradient, halves.first, halves.second}, functions::glu_backward_first, element, halves.shown);
    const PairTensor second = evaluate_elements({gradient, halves.first, halves.second}, functions::glu_backward_second, element, halves.shown);
    const auto bound = [](const PairTensor& pair) { return pair.bound.defined() ? pair.bound : at::zeros_like(pair.value); };
    if (result.bound.defined() || second.bound.defined()) result.bound = at::cat({bound(result), bound(second)}, halves.dim);
    result.value = at::cat({result.value, second.value}, halves.dim);
    return {result};
  };
}

// clamp(self, min, max): the lower limit first, then the upper one wins, as torch documents.
Rule clamp() {
  return [](const Call& call) -> std::vector<PairTensor> {
    std::vector<int> operands{0};
    for (const int i : {1, 2}) {
      if (!call.argument(static_cast<std::size_t>(i)).isNone()) operands.push_back(i);
    }
    const at::ScalarType common = call.promoted(operands);
    if (!at::isFloatingType(common)) return on_integers(call);
    const Element element{call.context().precision(common).step, 0.0, {}};
    PairTensor result = consumed(call.argument(0), common, call.context());
    for (std::size_t i = 1; i < operands.size(); ++i) {
      PairTensor limit = consumed(call.argument(static_cast<std::size_t>(operands[i])), common, call.context());
      result = evaluate_elements({result, limit}, operands[i] == 1 ? functions::maximum : functions::minimum, element, common);
    }
    result.shown = common;
    result.representable = true;
    return {result};
  };
}

}  // namespace neuroncheck::oracles
