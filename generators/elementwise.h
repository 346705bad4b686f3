// Recipes of the pointwise ops.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// alpha: a bool tensor takes none but true.
Argument multiplier(DraftBuilder& build);
// A scalar that is never zero.
Argument divisor(DraftBuilder& build);

Recipe unary(FillsOf fills, Form form = Form::functional, Made made = same);
// (self, ...) with one of these lists of further arguments.
Recipe unary_with(FillsOf fills, std::vector<ArgumentList> further, Form form = Form::functional);
// (self, further...) over every bit pattern of the dtype, in one dimension: formats of 8 and 16 bits.
Recipe sweep(const ArgumentList& further = {});
Recipe gelu(Form form = Form::functional);
// (self, other), broadcasting; in-place and out= forms with the result in self's or out's sizes.
Recipe binary(FillsOf left, FillsOf right, Form form = Form::functional, Made made = same);
// (self, other, alpha): add, sub and rsub.
Recipe binary_alpha(Form form = Form::functional);
// (self, other, rounding_mode).
Recipe divide_rounded(Form form = Form::functional);
// (self, tensor1, tensor2, value): addcmul, addcdiv.
Recipe ternary_value(FillsOf third, Form form = Form::functional);
// (self, end, weight), the weight a tensor or a scalar.
Recipe lerp(Form form = Form::functional);
Recipe lerp_scalar(Form form = Form::functional);
// (self, scalar).
Recipe with_scalar(FillsOf fills, Form form = Form::functional, Made made = same);
// (self, scalar), the scalar never zero.
Recipe with_divisor(Form form = Form::functional);
// (self, scalar, rounding_mode).
Recipe with_divisor_rounded();
// (self, scalar, alpha).
Recipe with_scalar_alpha(Form form = Form::functional);
// (self, exponent).
Recipe power_scalar(Form form = Form::functional);
// (base, exponent), the base a scalar.
Recipe power_of_scalar(Form form = Form::functional);
// (self, min, max): either bound may be missing, and min may lie above max.
Recipe clamp(Form form = Form::functional);
Recipe clamp_tensors(Form form = Form::functional);
// (condition, self, other).
Recipe where(Form form = Form::functional);
// The same with scalars: which of the two are.
enum class WhereScalars : std::uint8_t { self, other, both };
Recipe where_scalars(WhereScalars scalars);
// (self, mask, value), the value a 0-dim tensor.
Recipe masked_fill_tensor(Form form = Form::functional);
// (self, amount), amounts that no dtype shifts out altogether; one of the two may be a scalar.
Recipe shift(Form form = Form::functional);
Recipe shift_by_scalar(Form form = Form::functional);
Recipe shift_of_scalar(Form form = Form::functional);
// (self, other), integers whose products fit every dtype.
Recipe small_integers();
// (self, exponents), the exponents small integers of the same dtype.
Recipe exponents();
// (self, nan, posinf, neginf), each of which may be missing.
Recipe nan_to_num();
// self, with this many results.
Recipe unary_results(FillsOf fills, int results);

}  // namespace neuroncheck::generators
