// Recipes of what orders, searches and counts.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

Recipe topk(Form form = Form::functional);
// (self, dim, descending).
Recipe sort(Form form = Form::functional);
// (self, stable=true, dim, descending).
Recipe stable_sort(Form form = Form::functional);
Recipe stable_argsort();

// (self, boundaries, out_int32, right) and (sorted_sequence, self, out_int32, right, side, sorter).
Recipe bucketize();
Recipe searchsorted();
// (elements, test_elements, assume_unique, invert).
Recipe isin();

// Sizes of results depend on the values.
Recipe unique_consecutive();
// (self, sorted, return_inverse), with return_counts for _unique2.
enum class Counts : std::uint8_t { none, drawn };
Recipe unique(Counts counts);
Recipe bincount();
Recipe weighted_bincount();

}  // namespace neuroncheck::generators
