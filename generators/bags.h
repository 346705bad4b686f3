// Recipes of bags of embeddings: rows of a table, summed up, averaged or the largest of each column, by bags of indices. Some bags are empty.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx); returns the first output: what
// the others hold depends on the path that a kernel takes.
Recipe embedding_bag();
// (grad, indices, offsets, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode, sparse, per_sample_weights, padding_idx).
Recipe embedding_bag_backward();
// (grad, weight, indices, offsets, offset2bag, mode, padding_idx).
Recipe embedding_bag_weights_backward();

}  // namespace neuroncheck::generators
