// Recipes of what maps over lists of tensors: the _foreach family and fused steps of optimizers.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// What each tensor of the list meets: the tensor at its place in another list, one scalar, the scalar at its place, one 0-dim tensor.
enum class Partner : std::uint8_t { list, scalar, scalars, tensor };

struct ListOp {
  FillsOf fills;  // of the partner's tensors
  Argument (*number)(DraftBuilder& build);
  bool scaled = false;  // it ends in alpha where its partner holds tensors
  Made made = same;
};

// In-place and out= forms write to the first inputs, which are then the outputs.
Recipe map_list(const ListOp& op, Partner partner, Form form = Form::functional);

// (self, ord): the norm of each tensor.
Recipe norm_list(Form form = Form::functional);

// (self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, ...): a step of Adam or AdamW, whose outputs are the lists it writes to.
Recipe adam_step(bool lr_is_tensor);

}  // namespace neuroncheck::generators
