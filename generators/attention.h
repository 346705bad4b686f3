// Recipes of the CPU's fused attention.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (query, key, value, dropout_p, is_causal, attn_mask or None, scale or None).
Recipe attention();
// (grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask or None, scale or None).
Recipe attention_backward();

}  // namespace neuroncheck::generators
