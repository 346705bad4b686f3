// Elementwise functions over pairs: what a correct device may make of one element (oracles.md 3.1). No torch.
// Where all operands are exact, the correctly rounded ones (+ - * / sqrt, selections, steps) have bound 0: rounding to the accumulate dtype first and
// to the output dtype after it changes nothing (24 >= 2 p + 2 for 16-bit formats).
#pragma once

#include <array>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

struct Element {
  Step step;
  double error = 0.0;                    // relative error of the row's function
  std::array<double, 3> parameter = {};  // scalars of the call, in the meaning of the function
};

using ElementFunction = Pair (*)(const Pair* x, const Element& element);

namespace functions {

// Exact, or rounded once at the end.
Pair add(const Pair* x, const Element& element);  // x0 + parameter[0] * x1
Pair reverse_subtract(const Pair* x, const Element& element);
Pair multiply(const Pair* x, const Element& element);
Pair divide(const Pair* x, const Element& element);
Pair divide_truncating(const Pair* x, const Element& element);
Pair square_root(const Pair* x, const Element& element);
Pair reciprocal(const Pair* x, const Element& element);
Pair negate(const Pair* x, const Element& element);
Pair absolute(const Pair* x, const Element& element);
Pair relu(const Pair* x, const Element& element);
Pair minimum(const Pair* x, const Element& element);
Pair maximum(const Pair* x, const Element& element);
Pair choose(const Pair* x, const Element& element);  // x0 ? x1 : x2
Pair sign(const Pair* x, const Element& element);
Pair floor(const Pair* x, const Element& element);
Pair ceil(const Pair* x, const Element& element);
Pair trunc(const Pair* x, const Element& element);
Pair round(const Pair* x, const Element& element);  // half to even
Pair remainder(const Pair* x, const Element& element);
Pair floor_divide(const Pair* x, const Element& element);
Pair fmod(const Pair* x, const Element& element);
Pair frac(const Pair* x, const Element& element);
Pair fmax(const Pair* x, const Element& element);
Pair fmin(const Pair* x, const Element& element);
Pair copysign(const Pair* x, const Element& element);
Pair lerp(const Pair* x, const Element& element);          // x0 to x1 by x2
Pair multiply_add(const Pair* x, const Element& element);  // x0 + parameter[0] * x1 * x2
Pair divide_add(const Pair* x, const Element& element);    // x0 + parameter[0] * x1 / x2

// Truth values: 0 or 1, bound 1 when both are legal.
Pair equal(const Pair* x, const Element& element);
Pair not_equal(const Pair* x, const Element& element);
Pair less(const Pair* x, const Element& element);
Pair less_equal(const Pair* x, const Element& element);
Pair greater(const Pair* x, const Element& element);
Pair greater_equal(const Pair* x, const Element& element);
Pair logical_not(const Pair* x, const Element& element);
Pair logical_and(const Pair* x, const Element& element);
Pair logical_or(const Pair* x, const Element& element);
Pair logical_xor(const Pair* x, const Element& element);
Pair is_infinite(const Pair* x, const Element& element);
Pair is_positive_infinity(const Pair* x, const Element& element);
Pair is_negative_infinity(const Pair* x, const Element& element);
Pair sign_bit(const Pair* x, const Element& element);
Pair is_nan(const Pair* x, const Element& element);

// Transcendental.
Pair exp(const Pair* x, const Element& element);
Pair log(const Pair* x, const Element& element);
Pair exp2(const Pair* x, const Element& element);
Pair expm1(const Pair* x, const Element& element);
Pair log2(const Pair* x, const Element& element);
Pair log10(const Pair* x, const Element& element);
Pair log1p(const Pair* x, const Element& element);
Pair asin(const Pair* x, const Element& element);
Pair acos(const Pair* x, const Element& element);
Pair atan(const Pair* x, const Element& element);
Pair sinh(const Pair* x, const Element& element);
Pair cosh(const Pair* x, const Element& element);
Pair asinh(const Pair* x, const Element& element);
Pair acosh(const Pair* x, const Element& element);
Pair atanh(const Pair* x, const Element& element);
Pair erfc(const Pair* x, const Element& element);
Pair tan(const Pair* x, const Element& element);
Pair atan2(const Pair* x, const Element& element);
Pair hypot(const Pair* x, const Element& element);
Pair logaddexp(const Pair* x, const Element& element);
Pair logaddexp2(const Pair* x, const Element& element);
Pair xlogy(const Pair* x, const Element& element);
Pair rsqrt(const Pair* x, const Element& element);
Pair tanh(const Pair* x, const Element& element);
Pair sigmoid(const Pair* x, const Element& element);
Pair erf(const Pair* x, const Element& element);
Pair sin(const Pair* x, const Element& element);
Pair cos(const Pair* x, const Element& element);
Pair power(const Pair* x, const Element& element);
Pair silu(const Pair* x, const Element& element);
Pair gelu(const Pair* x, const Element& element);  // parameter[0] != 0: the tanh form

Pair mish(const Pair* x, const Element& element);
Pair leaky_relu(const Pair* x, const Element& element);  // parameter: negative_slope
Pair elu(const Pair* x, const Element& element);         // parameters: alpha, scale, input_scale
Pair softplus(const Pair* x, const Element& element);    // parameters: beta, threshold
Pair hardtanh(const Pair* x, const Element& element);    // parameters: min_val, max_val
Pair hardshrink(const Pair* x, const Element& element);  // parameter: lambd
Pair softshrink(const Pair* x, const Element& element);  // parameter: lambd
Pair threshold(const Pair* x, const Element& element);   // parameters: threshold, value
Pair hardswish(const Pair* x, const Element& element);
Pair hardsigmoid(const Pair* x, const Element& element);

Pair heaviside(const Pair* x, const Element& element);       // x1 where x0 is zero
Pair nan_to_num(const Pair* x, const Element& element);      // parameters: for NaN, infinity, -infinity
Pair round_decimals(const Pair* x, const Element& element);  // parameter: decimals
Pair ldexp(const Pair* x, const Element& element);           // x0 * 2^x1, by pow and a product
Pair sinc(const Pair* x, const Element& element);
Pair entr(const Pair* x, const Element& element);
Pair xlog1py(const Pair* x, const Element& element);
Pair erfinv(const Pair* x, const Element& element);

Pair log_sigmoid(const Pair* x, const Element& element);
Pair exp_of_minus_magnitude(const Pair* x, const Element& element);
Pair logit(const Pair* x, const Element& element);  // parameter: eps, negative for none
Pair prelu(const Pair* x, const Element& element);  // x1: weight
Pair glu(const Pair* x, const Element& element);    // x0 * sigmoid(x1)

}  // namespace functions
}  // namespace neuroncheck::oracles
