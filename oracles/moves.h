// Ops that copy or relabel elements without arithmetic, by base name: their bounds travel with the elements, and so does the sign of a zero.
#pragma once

#include <array>
#include <string_view>

namespace neuroncheck::oracles {

// Those that the dispatcher meets: each has the rule `move` (table_moves.cpp).
constexpr std::array<std::string_view, 46> kMoves = {
    "alias",
    "as_strided",
    "cat",
    "clone",
    "constant_pad_nd",
    "detach",
    "diagonal",
    "diagonal_backward",
    "embedding",
    "expand",
    "flip",
    "gather",
    "index",
    "index_select",
    "lift_fresh",
    "masked_scatter",
    "permute",
    "pixel_shuffle",
    "repeat",
    "_reshape_alias",
    "roll",
    "rot90",
    "scatter",
    "select",
    "select_backward",
    "select_scatter",
    "slice",
    "slice_backward",
    "slice_scatter",
    "split",
    "split_with_sizes",
    "squeeze",
    "stack",
    "t",
    "take",
    "transpose",
    "tril",
    "triu",
    "unbind",
    "unfold",
    "unfold_copy",
    "_unsafe_index",
    "_unsafe_view",
    "unsqueeze",
    "value_selecting_reduction_backward",
    "view",
};

// Those that libtorch takes apart into the others, and copies, which round where they change the dtype.
constexpr std::array<std::string_view, 7> kCompositeMoves = {"contiguous", "copy", "flatten", "masked_select", "movedim", "narrow", "reshape"};

}  // namespace neuroncheck::oracles
