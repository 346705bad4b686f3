// The indices of a shape that is indexed along one of its dimensions: what gathers, scatters and orders are drawn from.
#pragma once

#include "generators/along.h"

namespace neuroncheck::generators {

// How many indices may repeat: up to twice the dimension's size; none into an empty dimension.
std::int64_t draw_count(DraftBuilder& build, const Along& indexed);

// An index of self's rank that is no larger than self but along the dimension.
Sizes index_sizes(DraftBuilder& build, const Along& indexed);
// The same, no larger along the dimension either.
Sizes unique_sizes(DraftBuilder& build, const Along& indexed);

// Indices in [0, limit) of which no two along the dimension are equal; `sizes` are no larger than `limit` there.
ValueRef unique_index(DraftBuilder& build, const Sizes& sizes, std::int64_t dim, std::int64_t limit);

// An input of given values, the same in every value set.
ValueRef literal(DraftBuilder& build, Dtype dtype, const Sizes& sizes, const std::vector<double>& values);
// A row of these int64 numbers. Contiguous: what takes offsets and lengths reads them as memory.
ValueRef numbers_of(DraftBuilder& build, const std::vector<std::int64_t>& numbers);

}  // namespace neuroncheck::generators
