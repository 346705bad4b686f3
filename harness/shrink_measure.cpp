#include "harness/shrink_measure.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/number_format.h"

namespace neuroncheck {
namespace {

enum Part : std::size_t { nodes, outputs, inputs, bindings, symbols, ranks, sizes, integers, extras, fills, floats, elements };

constexpr std::int64_t kLarge = 1'000'000;

std::int64_t cost_of_fill(const Fill& fill) {
  switch (fill.kind) {
    case FillKind::constant:
      return 0;
    case FillKind::literal:
      return 1;
    case FillKind::exact_integer:
      return fill.parameter <= 1 ? 2 : 3;
    case FillKind::index:
      return 4;
    case FillKind::special:
      return 6;
    case FillKind::normal:
    case FillKind::uniform:
    case FillKind::log_uniform:
    case FillKind::positive:
    case FillKind::ties:
    case FillKind::distinct:
    case FillKind::repeated:
    case FillKind::extremes:
    case FillKind::permutation:
    case FillKind::every_pattern:
    case FillKind::probability:
      return 5;
  }
  return 5;
}

void add(Measure& measure, const ArgumentList& arguments) {
  for (const Argument& argument : arguments) {
    if (const auto* integer = std::get_if<std::int64_t>(&argument.value)) measure[Part::integers] += cost_of(static_cast<double>(*integer));
    if (const auto* number = std::get_if<double>(&argument.value)) measure[Part::floats] += cost_of(*number);
    if (const auto* list = std::get_if<ArgumentList>(&argument.value)) {
      measure[Part::ranks] += static_cast<std::int64_t>(list->size());
      add(measure, *list);
    }
  }
}

void add(Measure& measure, const TensorSpec& spec) {
  measure[Part::ranks] += static_cast<std::int64_t>(spec.sizes.size());
  for (const Dim& dim : spec.sizes) measure[Part::sizes] += dim.symbol < 0 ? dim.size : 0;
  measure[Part::extras] += (spec.layout == LayoutKind::contiguous ? 0 : 1) + (spec.requires_grad ? 1 : 0);
  measure[Part::fills] += cost_of_fill(spec.fill);
  for (const std::uint64_t bits : spec.fill.bits) measure[Part::elements] += cost_of(number_of(spec.dtype, bits));
}

}  // namespace

std::int64_t cost_of(double number) {
  const std::int64_t sign = std::signbit(number) ? 1 : 0;
  const double magnitude = std::abs(number);
  if (!std::isfinite(number)) return 4 * kLarge + sign;
  if (magnitude == std::floor(magnitude) && magnitude < static_cast<double>(kLarge)) return 2 * static_cast<std::int64_t>(magnitude) + sign;
  const std::uint64_t fraction = std::bit_cast<std::uint64_t>(magnitude) & ((1ULL << 52) - 1);
  return 2 * kLarge + std::int64_t{2} * (52 - std::min(52, std::countr_zero(fraction))) + sign;
}

double number_of(Dtype dtype, std::uint64_t bits) {
  switch (kind_of(dtype)) {
    case DtypeKind::floating:
      return decode(dtype, bits);
    case DtypeKind::complex:
      return decode(Dtype::float32, bits & 0xFFFFFFFF);
    case DtypeKind::boolean:
      return static_cast<double>(bits & 1);
    case DtypeKind::integer:
      break;
  }
  if (dtype == Dtype::uint8) return static_cast<double>(bits & 0xFF);
  const auto unused = static_cast<int>(64 - 8 * bytes_of(dtype));
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::uint64_t bits_of(Dtype dtype, double number) {
  if (is_floating(dtype)) return encode(dtype, number);
  if (kind_of(dtype) == DtypeKind::complex) return encode(Dtype::float32, number);
  const std::uint64_t bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  const std::size_t width = 8 * bytes_of(dtype);
  return width == 64 ? bits : bits & ((1ULL << width) - 1);
}

Measure measure_of(const Case& test_case) {
  const Program& program = test_case.program;
  Measure measure{};
  measure[Part::nodes] = static_cast<std::int64_t>(program.nodes.size());
  measure[Part::outputs] = static_cast<std::int64_t>(program.outputs.size());
  measure[Part::inputs] = static_cast<std::int64_t>(program.inputs.size());
  measure[Part::bindings] = static_cast<std::int64_t>(test_case.bindings.size());
  measure[Part::symbols] = program.symbols;
  for (const TensorSpec& spec : program.inputs) add(measure, spec);
  for (const Node& node : program.nodes) add(measure, node.arguments);
  for (const Binding& binding : test_case.bindings) {
    for (const std::int64_t value : binding.symbols) measure[Part::sizes] += value;
  }
  for (const Backward& backward : test_case.backward) measure[Part::fills] += cost_of_fill(backward.fill);
  return measure;
}

}  // namespace neuroncheck
