// Sizes and strides of an as_strided call that stays within a contiguous tensor.
#pragma once

#include "generators/draft_builder.h"

namespace neuroncheck::generators {

struct StridedWindow {
  Sizes sizes, strides;
  Argument offset;  // a number, or None
};

enum class Overlap : std::uint8_t { never, allowed };

// Within `elements` elements that begin at offset 0.
StridedWindow draw_window(DraftBuilder& build, std::int64_t elements, Overlap overlap);

}  // namespace neuroncheck::generators
