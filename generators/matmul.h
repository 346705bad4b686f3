// Recipes of matrix products.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

Recipe mm(Form form = Form::functional);
Recipe bmm(Form form = Form::functional);
// (self, mat1, mat2, beta, alpha), self broadcasting.
Recipe addmm(Form form = Form::functional);
Recipe mm_trajectory();

// Rows, inner length and columns of a product; one at slot 0, one of them zero at slot 1.
struct MatmulSizes {
  std::int64_t rows, inner, columns;
};
MatmulSizes draw_matmul(DraftBuilder& build);

}  // namespace neuroncheck::generators
