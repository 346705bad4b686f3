// The kinds of rules for what scatters, segments, searches and counts; used as those of rule_kinds.h. Needs torch.
#pragma once

#include "oracles/rules.h"

namespace neuroncheck::oracles {

// (self, dim, index, src or value, reduce[, include_self]): scatter with reduce, scatter_reduce, index_reduce.
Rule reduce_scattered();
// segment_reduce: one result per segment of each line.
Rule reduce_segments();

// Sums, means and maxima of rows by bags of indices, and the derivatives by the rows and by the weights of the samples.
Rule embedding_bag();
Rule embedding_bag_backward();
Rule embedding_bag_weights_backward();

// Places among sorted values: searchsorted, bucketize. Ambiguous where the interval of what is searched for crosses a boundary.
Rule search();
// isin.
Rule membership();
// _unique, _unique2, unique_consecutive: exact values only, since how many there are depends on them.
Rule distinct();

// Samples near an edge may be counted on either side.
Rule histc();
// histogram (hist and edges of flat samples), and what histogramdd is made of: cells, or edges alone, of rows.
enum class Histogram : std::uint8_t { flat, cells, edges };
Rule histogram_of(Histogram kind);

}  // namespace neuroncheck::oracles
