// Recipes of the pointwise ops.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

Recipe unary(FillsOf fills, Form form = Form::functional);
Recipe gelu();
// (self, other), broadcasting; in-place and out= forms with the result in self's or out's sizes.
Recipe binary(FillsOf left, FillsOf right, Form form = Form::functional);
// (self, other, alpha): add and sub.
Recipe binary_alpha(Form form = Form::functional);
// (self, other, rounding_mode).
Recipe divide_rounded();
// (self, scalar).
Recipe with_scalar(FillsOf fills, Form form = Form::functional);
// (self, scalar), the scalar never zero.
Recipe with_divisor();
// (self, scalar, alpha).
Recipe with_scalar_alpha();
// (self, exponent).
Recipe power_scalar();
// (self, min, max): either bound may be missing, and min may lie above max.
Recipe clamp(Form form = Form::functional);
// (condition, self, other).
Recipe where(Form form = Form::functional);

}  // namespace neuroncheck::generators
