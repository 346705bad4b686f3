// Recipes of losses over all alignments of a sequence with its target (connectionist temporal classification).
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

enum class Lengths : std::uint8_t { lists, tensors };

// (log_probs, targets, input_lengths, target_lengths, blank, zero_infinity): the loss, and the table where sequences have full length
// (beyond their ends it is never written).
Recipe ctc_loss(Lengths lengths);
// (grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity), of such a loss.
Recipe ctc_loss_gradient(Lengths lengths);

}  // namespace neuroncheck::generators
