// Recipes of complex numbers: programs that begin and end with real tensors, the parts in a last dimension of two.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// Real transform, shown as its parts; complex transform; and the real transform of a real one, which is the input again.
Recipe transform_real();
Recipe transform_complex();
Recipe transform_back();
// The parts of a complex number made of (real, imaginary) or of (abs, angle).
Recipe complex_of(FillsOf first, FillsOf second);
// A complex number through the op and then `resolve` (_conj is lazy, others: aten::clone), or made real by it (angle).
Recipe through_complex(const char* resolve);
Recipe made_real();
// Real, complex and real again: of view_as_complex and view_as_real.
Recipe there_and_back();

}  // namespace neuroncheck::generators
