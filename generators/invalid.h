// Recipes that the reference must refuse, by the kind of fault. The slot chooses among the faults of a recipe. None of them is undefined behaviour
// on the CPU: indices out of range are only given to ops that check them.
#pragma once

#include <string>
#include <vector>

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

using Recipes = std::vector<Recipe>;

// One of the recipes, by slot: each fault keeps its own compile keys.
Recipe one_of_faults(Recipes recipes);

// Two operands whose shapes do not broadcast: (self, other).
Recipe unbroadcastable();
// self would have to grow: in-place (self, other).
Recipe self_too_small();
// A floating operand for an integer self, in place.
Recipe result_does_not_fit();
// (self, other) of a floating dtype.
Recipe floating_operands();
// (condition, self, other) with a condition that is not bool; (self, mask, value) likewise.
Recipe condition_not_bool();
Recipe mask_not_bool();
// (self, dim[], ...) or (self, dim, ...) with a dim out of range, or twice in the list; `rest` follows.
Recipe dim_list_out_of_range(const ArgumentList& rest);
Recipe dim_list_repeated(const ArgumentList& rest);
Recipe dim_out_of_range(const ArgumentList& rest);
// Reduction of an empty dimension without identity.
Recipe empty_without_identity(const ArgumentList& rest);
Recipe empty_list_without_identity(const ArgumentList& rest);
// (self, dim, half_to_float) of an integer dtype.
Recipe integer_softmax();
Recipe layer_norm_wrong_shape();

Recipe mm_inner_mismatch();
Recipe mm_wrong_rank();
Recipe mm_dtype_mismatch();
Recipe bmm_batch_mismatch();
Recipe addmm_self_mismatch();
Recipe convolution_channel_mismatch();
Recipe convolution_kernel_too_large();
Recipe pool_padding_too_large();
Recipe pool_kernel_too_large();

Recipe index_out_of_range();  // (self, dim, index)
Recipe index_not_integer();   // (self, dim, index)
Recipe index_wrong_rank();    // gather: (self, dim, index)
Recipe embedding_out_of_range();
Recipe topk_too_many();

Recipe view_wrong_size();
Recipe view_two_unknowns();
Recipe permute_repeated();
Recipe permute_wrong_rank();
Recipe slice_step_zero();
Recipe cat_mismatch();
Recipe expand_mismatch();
Recipe expand_too_short();
Recipe pad_odd();
Recipe pad_below_zero();
Recipe arange_zero_step();
Recipe arange_wrong_way();

}  // namespace neuroncheck::generators
