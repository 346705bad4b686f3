#include "harness/input_class.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "harness/enum_names.h"
#include "harness/number_format.h"

namespace neuroncheck {
namespace {

constexpr std::array kNames = {EnumName<InputClass>{InputClass::zero_dim, "zero_dim"}, EnumName<InputClass>{InputClass::empty, "empty"},
                               EnumName<InputClass>{InputClass::non_contiguous, "non_contiguous"},
                               EnumName<InputClass>{InputClass::non_finite, "non_finite"},
                               EnumName<InputClass>{InputClass::several_shapes, "several_shapes"}};

bool is_contiguous(const Placed& placed) {
  std::int64_t wanted = 1;
  for (std::size_t i = placed.sizes.size(); i-- > 0;) {
    if (placed.sizes[i] != 1 && placed.strides[i] != wanted) return false;
    wanted *= placed.sizes[i];
  }
  return true;
}

bool may_be_non_finite(const TensorSpec& spec) {
  if (!is_floating(spec.dtype)) return false;
  if (spec.fill.kind == FillKind::special) return true;
  return std::any_of(spec.fill.bits.begin(), spec.fill.bits.end(), [&](std::uint64_t bits) { return !std::isfinite(decode(spec.dtype, bits)); });
}

bool is_in(InputClass input_class, const TensorSpec& spec, const SymbolValues& symbols) {
  const Placed placed = place(spec, symbols);
  const bool empty = element_count(placed.sizes) == 0;
  switch (input_class) {
    case InputClass::zero_dim:
      return placed.sizes.empty();
    case InputClass::empty:
      return empty;
    case InputClass::non_contiguous:
      return !empty && !is_contiguous(placed);
    case InputClass::non_finite:
      return !empty && may_be_non_finite(spec);
    case InputClass::several_shapes:
      return false;
  }
  return false;
}

}  // namespace

std::string_view name_of(InputClass input_class) { return find_name(kNames, input_class); }
InputClass parse_input_class(std::string_view text) { return find_value(kNames, text, "input class"); }
void to_json(nlohmann::json& json, InputClass input_class) { json = name_of(input_class); }
void from_json(const nlohmann::json& json, InputClass& input_class) { input_class = parse_input_class(json.get<std::string>()); }

std::vector<InputClass> input_classes_of(const Case& test_case) {
  std::vector<InputClass> classes;
  for (const auto& [input_class, name] : kNames) {
    bool found = input_class == InputClass::several_shapes && test_case.bindings.size() > 1;
    for (const Binding& binding : test_case.bindings) {
      for (const TensorSpec& spec : test_case.program.inputs) found = found || is_in(input_class, spec, binding.symbols);
    }
    if (found) classes.push_back(input_class);
  }
  return classes;
}

}  // namespace neuroncheck
