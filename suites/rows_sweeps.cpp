#include "generators/elementwise.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::arguments, generators::sweep;

// Unary functions over all 65,536 values of both formats of 16 bits.
std::vector<Row> sweep_rows() {
  std::vector<RowLine> lines;
  const auto add = [&](const std::string& op, const ArgumentList& further = {}) {
    lines.push_back({op + "/sweep", {Dtype::bfloat16, Dtype::float16}, sweep(further), {Trait::sweep}});
  };
  for (const char* op : {"neg",     "abs",  "sign", "sgn",       "floor",       "ceil",  "trunc", "round",   "frac",       "relu",       "sqrt",
                         "rsqrt",   "exp",  "exp2", "expm1",     "log",         "log2",  "log10", "log1p",   "sin",        "cos",        "tan",
                         "asin",    "acos", "atan", "sinh",      "cosh",        "tanh",  "asinh", "acosh",   "atanh",      "erf",        "erfc",
                         "sigmoid", "silu", "mish", "hardswish", "hardsigmoid", "isnan", "isinf", "signbit", "reciprocal", "logical_not"}) {
    add(op);
  }
  add("gelu", arguments("none"));
  add("hardtanh", arguments(-1.0, 1.0));
  add("leaky_relu", arguments(0.01));
  add("elu", arguments(1.0, 1.0, 1.0));
  add("softplus", arguments(1.0, 20.0));
  add("softshrink", arguments(0.5));
  add("hardshrink", arguments(0.5));
  return rows_of("functions", lines);
}

}  // namespace neuroncheck
