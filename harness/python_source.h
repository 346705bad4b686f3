// Programs as Python: the same text is compiled in batches and printed in stand-alone repros. Needs torch, for the operators' schemas.
#pragma once

#include <cstdint>
#include <string>

#include "harness/program.h"

namespace neuroncheck {

// The body of a function: one statement per node, indented by `indent`, names prefixed by `prefix` (so that many programs fit in one function).
// Inputs are <prefix>x0, <prefix>x1, ...; ends with no return. `device` is a Python expression.
std::string python_statements(const Program& program, const SymbolValues& symbols, const std::string& prefix, int indent, const std::string& device);
// "(p_y0, p_y1,)": the expression that holds the program's outputs.
std::string python_outputs(const Program& program, const std::string& prefix);

// Literals.
std::string python_float(double number);           // exactly
std::string python_text(const std::string& text);  // quoted

}  // namespace neuroncheck
