// What is particular about the inputs of a case: the words by which a baseline entry names a part of a cell (matrix.md section 2).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/program.h"

namespace neuroncheck {

enum class InputClass : std::uint8_t {
  zero_dim,        // an input without dimensions
  empty,           // an input without elements
  non_contiguous,  // an input whose elements do not lie in row-major order, one after the other
  non_finite,      // an input that may hold NaN or an infinity
  several_shapes,  // more than one run through the same compiled function
};

std::string_view name_of(InputClass input_class);
InputClass parse_input_class(std::string_view text);
void to_json(nlohmann::json& json, InputClass input_class);
void from_json(const nlohmann::json& json, InputClass& input_class);

// In the order of the enumerators, each at most once.
std::vector<InputClass> input_classes_of(const Case& test_case);

}  // namespace neuroncheck
