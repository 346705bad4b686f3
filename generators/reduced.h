// What a reduction reduces: a shape, and dimensions of it. Shared by the recipes of reductions.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

// Whether an empty row has a result: a sum does, a maximum does not.
enum class OnEmpty : std::uint8_t { identity, refuses };

struct Reduced {
  Sizes sizes;
  Sizes dims;              // as written: some count from the end
  std::int64_t count = 1;  // elements reduced into one
  std::vector<bool> gone;  // per dimension

  Sizes result(bool keepdim) const {
    Sizes left;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (!gone[i]) {
        left.push_back(sizes[i]);
      } else if (keepdim) {
        left.push_back(1);
      }
    }
    return left;
  }
};

// A shape and at least one, at most `most` of its dimensions.
Reduced draw_reduced(DraftBuilder& build, std::int64_t most, OnEmpty on_empty);

// A shape of which everything is reduced: never empty where that refuses.
Sizes draw_whole(DraftBuilder& build, OnEmpty on_empty);

// Factors whose products stay within every dtype's range.
Fills product_terms(Dtype dtype);
// all and any answer in bool, but in uint8 for uint8.
Dtype reduced_truth(Dtype dtype);
// Truth values, or numbers among which some are zero.
Fills truths(Dtype dtype);

}  // namespace neuroncheck::generators
