// Recipes of paddings by reflection and replication, of their backward ops, and of windows laid out as columns.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

enum class PaddingMode : std::uint8_t { reflection, replication };

// (self, padding) over the last `spatial` dimensions, before them channels and, now and then, a batch. A reflection is narrower than what it
// reflects.
Recipe pad_edges(PaddingMode mode, int spatial, Form form = Form::functional);
// (grad_output, self, padding)
Recipe pad_edges_backward(PaddingMode mode, int spatial);
// (self, pad, mode, value) in each of its modes.
Recipe pad();

// (self, kernel_size, dilation, padding, stride), and (self, output_size, kernel_size, dilation, padding, stride).
Recipe im2col();
Recipe col2im();

}  // namespace neuroncheck::generators
