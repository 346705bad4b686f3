// The kinds of rules for what scatters, segments, searches and counts; used as those of rule_kinds.h. Needs torch.
#pragma once

#include "oracles/rules.h"

namespace neuroncheck::oracles {

// (self, dim, index, src or value, reduce[, include_self]): scatter with reduce, scatter_reduce, index_reduce.
Rule reduce_scattered();
// segment_reduce: one result per segment of each line.
Rule reduce_segments();

// Places among sorted values: searchsorted, bucketize. Ambiguous where the interval of what is searched for crosses a boundary.
Rule search();
// isin.
Rule membership();
// _unique, _unique2, unique_consecutive: exact values only, since how many there are depends on them.
Rule distinct();

}  // namespace neuroncheck::oracles
