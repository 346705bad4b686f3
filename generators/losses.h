// Recipes of losses and their derivatives. Reductions: 0 none, 1 mean, 2 sum.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

enum class LossOf : std::uint8_t { numbers, signs, probabilities };  // what the targets and inputs are

// (self, target, reduction, ...), the rest one of these lists.
Recipe loss(LossOf of, std::vector<ArgumentList> further = {{}});
// (grad, self, target, reduction, ...).
Recipe loss_gradient(LossOf of, std::vector<ArgumentList> further = {{}});
// (self, target, weight, reduction) and (grad, self, target, weight, reduction).
Recipe binary_cross_entropy();
Recipe binary_cross_entropy_gradient();
// (self, target, weight, pos_weight, reduction).
Recipe cross_entropy_with_logits();

// (self, target, weight, reduction, ignore_index) and (grad, self, target, weight, reduction, ignore_index, total_weight).
enum class Classes : std::uint8_t { of_rows, of_images };
Recipe nll(Classes classes, Form form = Form::functional);
Recipe nll_gradient(Classes classes, Form form = Form::functional);

// (self, target, p, margin, weight, reduction) and with the gradient first.
Recipe multi_margin();
Recipe multi_margin_gradient();
// (self, target, reduction) and (grad, self, target, reduction, is_target): a row's targets end at the first -1.
Recipe multilabel_margin();
Recipe multilabel_margin_gradient();

}  // namespace neuroncheck::generators
