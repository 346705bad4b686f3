// Kinds of rules along rows beyond those of rule_kinds.h: moments, lengths, scans, counts. Needs torch.
#pragma once

#include <vector>

#include "oracles/rules.h"

namespace neuroncheck::oracles {

enum class Moment : std::uint8_t { mean, variance, deviation };
// (self, dim, correction, keepdim): var, std, and their mean where that is asked for, in the order of the op's results.
Rule moments(std::vector<Moment> results);
// linalg_vector_norm and norm: (self, p, dim, keepdim, dtype) as far as the schema has them.
Rule vector_norm();
// (self, p, dim, maxnorm).
Rule renorm();
// (self, dim, dtype).
Rule cumulative_product();
// (self, dim).
Rule logcumsumexp();
// How many elements are not zero.
Rule count_true();
// The most frequent value: nothing is known of it where a value is in doubt.
Rule mode();

}  // namespace neuroncheck::oracles
