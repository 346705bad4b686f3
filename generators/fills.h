// Which values make sense for an input, by its role. Every list is a choice among equals: over its value sets a row sees each of them.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/fill.h"

namespace neuroncheck::generators {

using Fills = std::vector<Fill>;

// Elementwise operands of any dtype.
Fills numbers(Dtype dtype);
// The domain of log, sqrt, rsqrt: mostly positive, some special values and negatives.
Fills positives(Dtype dtype);
// Moderate values only, where large ones overflow: exponents, arguments of exp.
Fills moderate(Dtype dtype);
// Within [-1, 1] mostly: the domain of asin, acos and atanh.
Fills fractions(Dtype dtype);
// Divisors. Integers are never zero (the CPU raises) and never -1 (smallest / -1 traps).
Fills divisors(Dtype dtype);
// Terms of a sum of up to `count`: exact ones stay exact in 24 bits whatever the order.
Fills terms(Dtype dtype, std::int64_t count);
// Factors of dot products of length `count`: a ladder of operand widths.
Fills factors(Dtype dtype, std::int64_t count);
// Where values are only moved: each place must be told from every other.
Fills markers(Dtype dtype);
// Where order matters: ties, and NaN.
Fills ordered(Dtype dtype);
// Integers in [0, size).
Fills indices(std::int64_t size);
// Booleans for conditions and masks.
Fills masks();

// The choices without the special values.
Fills without_special(Fills fills);

// Single choices: of a kind alone, with its bounds, uniform within bounds, with its parameter.
Fill fill_of(FillKind kind);
Fill ranged(FillKind kind, double low, double high);
Fill between(double low, double high);
Fill counted(FillKind kind, std::int64_t parameter);
Fill constant(double value);
// The lower bound, where the dtype has negative numbers; else 0.
double lowest(Dtype dtype, double wanted);

}  // namespace neuroncheck::generators
