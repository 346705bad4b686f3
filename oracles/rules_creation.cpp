#include "oracles/rules_creation.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/number_format.h"
#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What an out= form of a factory makes of a tensor like its out argument.
at::Tensor made_anew(const Call& call) {
  return call.run([](const PairTensor& out) { return at::empty(out.value.sizes(), out.value.options()); }).at(0);
}

at::ScalarType shown_by_last(const Call& call) { return call.arguments().back().toTensor().scalar_type(); }

std::vector<PairTensor> run_linspace(const Call& call) {
  const at::ScalarType shown = call.dtype_or(at::typeMetaToScalarType(at::get_default_dtype()));
  if (!at::isFloatingType(shown)) return plain()(call);
  const Span span{end_of_span(call.argument(0), shown, call.context()), end_of_span(call.argument(1), shown, call.context()),
                  call.argument(2).toInt()};
  return {linspace_values(span, shown, call.context())};
}

// A tensor of other sizes over the same memory; unknown elements where that is too small.
PairTensor laid_out(const PairTensor& self, const at::Tensor& like) {
  PairTensor result = self;
  std::int64_t last = self.value.storage_offset();
  for (std::int64_t d = 0; d < like.dim(); ++d) last += (like.size(d) - 1) * like.stride(d);
  const auto elements = static_cast<std::int64_t>(self.value.storage().nbytes() / self.value.itemsize());
  if (like.numel() == 0 || last < elements) {
    result.value = self.value.as_strided(like.sizes(), like.strides(), self.value.storage_offset());
    return result;
  }
  result.value = at::zeros_like(like);
  result.bound = at::full_like(result.value, kInfinity, at::kDouble);
  result.companion = nullptr;
  return result;
}

}  // namespace

// Each element with a rounding of the product and one of the sum (oracles.md 3.6).
PairTensor arange_values(const Progression& progression, at::IntArrayRef sizes, at::ScalarType shown, Context& context) {
  const auto [start, advance] = progression;
  const Step& step = context.precision(shown).step;
  const double limit = exact_limit(step, std::min(lowest_bit(start), lowest_bit(advance)));
  at::Tensor value = at::empty(sizes, at::kDouble), bound = at::zeros(sizes, at::kDouble);
  for (std::int64_t i = 0; i < value.numel(); ++i) {
    const double offset = static_cast<double>(i) * advance;
    value.mutable_data_ptr<double>()[i] = start + offset;
    const double size = std::abs(start) + std::abs(offset);
    if (size > limit) bound.mutable_data_ptr<double>()[i] = 2.0 * step.unit * size;
  }
  return {value, without_zeros(bound), shown, false, true, nullptr};
}

// The ends are exact (oracles.md 3.6). Between them: start + i step or end - (n-1-i) step, four roundings of the step's multiple (difference,
// quotient, product, sum); or start (1-w) + end w, three of either product.
PairTensor linspace_values(const Span& span, at::ScalarType shown, Context& context) {
  const Step& step = context.precision(shown).step;
  const auto last = static_cast<double>(span.steps - 1);
  const double advance = span.steps > 1 ? (span.end.value - span.start.value) / last : 0.0;
  at::Tensor value = at::empty({span.steps}, at::kDouble), bound = at::empty({span.steps}, at::kDouble);
  for (std::int64_t i = 0; i < span.steps; ++i) {
    const auto from_start = static_cast<double>(i), from_end = last - from_start;
    const double ends = std::abs(span.start.value) + std::abs(span.end.value);
    Pair y{i < span.steps / 2 ? span.start.value + from_start * advance : span.end.value - from_end * advance, 0.0};
    y.bound =
        span.start.bound + span.end.bound + 4.0 * step.tiny + step.unit * (3.0 * ends + 4.0 * std::max(from_start, from_end) * std::abs(advance));
    if (i == span.steps - 1) y = span.end;
    if (i == 0) y = span.start;
    value.mutable_data_ptr<double>()[i] = y.value;
    bound.mutable_data_ptr<double>()[i] = y.bound;
  }
  return {value, without_zeros(bound), shown, false, true, nullptr};
}

// base^x with the error of pow, and the exponent's: base^(x+d) = base^x e^(d ln base).
PairTensor logspace_values(const PairTensor& exponents, double base, Context& context) {
  const Precision& precision = context.precision(exponents.shown);
  const double error = context.function_error("pow", precision);
  at::Tensor value = at::pow(at::scalar_tensor(base, at::kDouble), exponents.value).contiguous(), bound = at::empty_like(value);
  for (std::int64_t i = 0; i < value.numel(); ++i) {
    const double own = exponents.bound.defined() ? exponents.bound.const_data_ptr<double>()[i] : 0.0;
    const double carried = std::expm1(std::abs(std::log(base)) * own);
    bound.mutable_data_ptr<double>()[i] = std::abs(value.const_data_ptr<double>()[i]) * (error + carried * (1.0 + error)) + precision.step.tiny;
  }
  return {value, bound, exponents.shown, false, true, nullptr};
}

Pair end_of_span(const c10::IValue& argument, at::ScalarType shown, Context& context) {
  const PairTensor pair = consumed(argument, shown, context);
  return {pair.value.item<double>(), pair.bound.defined() ? pair.bound.item<double>() : 0.0};
}

Rule made_into() {
  return [](const Call& call) -> std::vector<PairTensor> { return {{made_anew(call), {}, shown_by_last(call), true, false, nullptr}}; };
}

// arange.start_out(start, end, step, out)
Rule arange_into() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const Progression progression{call.argument(0).toScalar().toDouble(), call.argument(2).toScalar().toDouble()};
    return {arange_values(progression, made_anew(call).sizes(), shown_by_last(call), call.context())};
  };
}

Rule linspace() { return run_linspace; }

// logspace(start, end, steps, base)
Rule logspace() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const std::vector<PairTensor> exponents = run_linspace(call);
    if (!at::isFloatingType(exponents[0].shown)) return exponents;
    return {logspace_values(exponents[0], call.argument(3).toDouble(), call.context())};
  };
}

// resize(self, size, memory_format)
Rule resize() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const PairTensor self = call.pair(0);
    const std::vector<std::int64_t> sizes = call.argument(1).toIntVector();
    const bool formatted = !call.argument(2).isNone();
    if (self.value.sizes() == at::IntArrayRef(sizes) && !formatted) return {self};
    const auto format = formatted ? call.argument(2).toMemoryFormat() : at::MemoryFormat::Contiguous;
    return {laid_out(self, at::empty(sizes, at::TensorOptions(at::kDouble).memory_format(format)).to(self.value.scalar_type()))};
  };
}

// set(self), set(self, source)
Rule set() {
  return [](const Call& call) -> std::vector<PairTensor> {
    if (call.arguments().size() > 1) return {call.pair(1)};
    const PairTensor self = call.pair(0);
    return {{at::empty({0}, self.value.options()), {}, self.shown, true, true, nullptr}};
  };
}

}  // namespace neuroncheck::oracles
