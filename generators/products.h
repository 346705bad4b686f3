// Recipes of products of vectors, of sums of products, and of linear layers.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (self, tensor): dot, vdot. (self, vec): mv.
Recipe dot(Form form = Form::functional);
Recipe mv(Form form = Form::functional);
// (self, ..., beta, alpha), self broadcasting.
Recipe addmv(Form form = Form::functional);
Recipe addr();
Recipe addbmm();
Recipe baddbmm();
// (input, weight, bias or None).
Recipe linear(Form form = Form::functional);
// (self, mat2, offs or None): a batch of products, rows or the inner length in groups.
Recipe grouped_mm();
// (self, mat2, scale_a, scale_b, bias, scale_result, out_dtype): rows times columns of float8, with one scale each or one a row and a column.
Recipe scaled_mm(Form form = Form::functional);
// (i1, i2, i3, expand1, expand2, expand3, sumdim): the product of three, as bilinear layers call it. In 16 bits the CPU rounds between the
// products, which no rule counts.
Recipe trilinear();

}  // namespace neuroncheck::generators
