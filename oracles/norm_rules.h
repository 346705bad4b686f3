// Rules of normalisations over channels and groups, of distances, and of grouped products. Needs torch.
#pragma once

#include "oracles/rules.h"

namespace neuroncheck::oracles {

// native_batch_norm and its kin, as far as their schemas have (input, weight, bias, running_mean, running_var, training, momentum, eps).
Rule batch_norm();
Rule batch_norm_backward();
Rule group_norm();
Rule group_norm_backward();
// _cdist_forward(x1, x2, p, compute_mode), _pdist_forward(self, p), and their gradients.
Rule cdist();
Rule cdist_backward();
Rule pdist();
Rule pdist_backward();
// _grouped_mm(self, mat2, offs): products of groups of rows, of columns, or of the inner length.
Rule grouped_product();
// _scaled_mm(self, mat2, scale_a, scale_b, bias, scale_result, out_dtype): products of float8, added up and scaled in float32.
Rule scaled_product();
// _trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim): the sum of products of three.
Rule trilinear();

}  // namespace neuroncheck::oracles
