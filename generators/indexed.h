// A shape that is indexed along one of its dimensions, and the indices: what gathers, scatters and orders are drawn from.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

struct Indexed {
  Sizes sizes;
  std::int64_t dim = 0;
  std::int64_t size = 1;  // of the dimension; a 0-dim tensor counts as one of size 1

  std::int64_t along(const Sizes& other) const;  // size of the dimension in a shape of the same rank
  // The same shape with another size along the dimension; a 0-dim tensor stays one.
  Sizes resized(std::int64_t count) const;
};

Indexed draw_indexed(DraftBuilder& build);

// How many indices may repeat: up to twice the dimension's size; none into an empty dimension.
std::int64_t draw_count(DraftBuilder& build, const Indexed& indexed);

// An index of self's rank that is no larger than self but along the dimension.
Sizes index_sizes(DraftBuilder& build, const Indexed& indexed);
// The same, no larger along the dimension either.
Sizes unique_sizes(DraftBuilder& build, const Indexed& indexed);

// Indices in [0, limit) of which no two along the dimension are equal; `sizes` are no larger than `limit` there.
ValueRef unique_index(DraftBuilder& build, const Sizes& sizes, std::int64_t dim, std::int64_t limit);

// An input of given values, the same in every value set.
ValueRef literal(DraftBuilder& build, Dtype dtype, const Sizes& sizes, const std::vector<double>& values);

std::int64_t count_of(const Sizes& sizes);

}  // namespace neuroncheck::generators
