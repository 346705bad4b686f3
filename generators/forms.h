// An op's three call forms, so that a family's recipe is written once.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

enum class Form : std::uint8_t { functional, in_place, out };

using FillsOf = Fills (*)(Dtype);

// The operand that the in-place form writes to.
ValueRef self_operand(DraftBuilder& build, Form form, const Sizes& sizes, Fills fills);

// The same input, contiguous if one of these layouts was drawn for it; without a list, whatever was drawn.
ValueRef made_contiguous(DraftBuilder& build, ValueRef input, std::initializer_list<LayoutKind> layouts);
ValueRef made_contiguous(DraftBuilder& build, ValueRef input);
ValueRef contiguous_input(DraftBuilder& build, const Sizes& sizes, Fills fills);
ValueRef contiguous_input(DraftBuilder& build, Dtype dtype, const Sizes& sizes, Fills fills);
// The same input, contiguous or offset: other layouts have views only for some shapes.
ValueRef made_viewable(DraftBuilder& build, ValueRef input);

// An input in a layout that a copy keeps. libtorch's CPU fallback copies holes and strides of 0 away: an op of several operands that lays its result
// out itself then picks other strides, and a CPU kernel that rounds between its steps other lanes.
ValueRef dense_input(DraftBuilder& build, const Sizes& sizes, Fills fills);

// What comes out; only the out= form needs to know.
struct Result {
  Sizes sizes;
  Dtype dtype;
};

// The dtype that comes out of one that goes in.
using Made = Dtype (*)(Dtype);
Dtype same(Dtype dtype);
Dtype truth(Dtype dtype);  // bool

// Calls the op, for the out= form with an out tensor of the right sizes and stale contents, and returns its (first) output.
void call_and_return(DraftBuilder& build, Form form, ArgumentList arguments, const Result& result);

// Integer and bool reductions that add up or multiply answer in int64.
Dtype widened(Dtype dtype);

}  // namespace neuroncheck::generators
