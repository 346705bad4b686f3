// A shape and one of its dimensions, or some: what most recipes that move, index or order elements begin with.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

// Where a dimension lies, whichever end it is counted from; 0 for a 0-dim shape.
std::size_t position_of(std::int64_t dim, std::size_t rank);

struct Along {
  Sizes sizes;
  std::int64_t dim = 0;   // as the call writes it: often counted from the end
  std::size_t at = 0;     // where that is
  std::int64_t size = 1;  // of the dimension; a 0-dim tensor counts as one of size 1

  std::int64_t size_in(const Sizes& other) const;  // of the dimension in a shape of the same rank
  // The same shape with another size along the dimension; a 0-dim tensor stays one.
  Sizes resized(std::int64_t count) const;
};

enum class Empty : std::uint8_t { allowed, never };  // may the dimension be empty?

Along draw_along(DraftBuilder& build, int min_rank = 0, Empty empty = Empty::allowed);

// How many elements start:end:step of a dimension holds; both ends may be negative, or beyond the ends.
struct Range {
  std::int64_t start = 0, end = 0, step = 1;

  std::int64_t length(std::int64_t size) const;
};
Range draw_range(DraftBuilder& build, std::int64_t size);

// Two different dimensions of a shape of this rank, often counted from the end.
std::pair<std::int64_t, std::int64_t> two_dimensions(DraftBuilder& build, std::size_t rank);
// Some of the dimensions, each once, often counted from the end.
Sizes some_dimensions(DraftBuilder& build, std::size_t rank);
// All of them in any order.
Sizes shuffled_dimensions(DraftBuilder& build, std::size_t rank);

}  // namespace neuroncheck::generators
