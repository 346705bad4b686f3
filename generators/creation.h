// Recipes of factories, of fills, and of what changes where a tensor's elements lie.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// How many of start, end and step a call of arange gives.
enum class Numbers : std::uint8_t { end, start, step };
Recipe arange(Numbers numbers, Form form = Form::functional);
// (steps) between two ends, each a number or a 0-dim tensor; logspace: powers of a base.
enum class Ends : std::uint8_t { numbers, tensor_end, tensor_start, tensors };
Recipe linspace(Ends ends);
Recipe logspace(Ends ends);
// (n) or (n, m)
Recipe eye(int dimensions, Form form = Form::functional);
// (row, col, offset)
Recipe triangle_indices();

// (size), or (size, value) where the op takes one.
enum class Value : std::uint8_t { none, given };
Recipe filled(Value value, Form form = Form::functional);
Recipe scalar_tensor();
// (self), (self, size), either with a value where the op takes one; often with another dtype or a memory format.
Recipe filled_like(Value value);
Recipe new_filled(Value value);
// (self, value), (self)
Recipe fill(Value value, Form form = Form::functional);
Recipe fill_with_tensor();

// Uninitialised ones: in a memory format, in a permutation, in strides.
Recipe empty();
Recipe empty_permuted();
Recipe empty_strided();
Recipe new_empty_strided();

// To as many elements or fewer: values are kept.
Recipe resize();
Recipe resize_as();
// (self): no storage is left.
Recipe set_to_nothing();

}  // namespace neuroncheck::generators
