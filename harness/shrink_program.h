// Smaller programs: nodes, steps, symbols and arguments; and the list that keeps only what is smaller.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/program.h"
#include "harness/shrink_measure.h"

namespace neuroncheck {

// Candidates in order, without those that are not strictly simpler than the case, not well formed, or there already.
class Candidates {
 public:
  Candidates(const Case& test_case, std::size_t most) : measure_(measure_of(test_case)), most_(most) {}
  void add(Case candidate);
  std::vector<Case> take() { return std::move(cases_); }

 private:
  Measure measure_;
  std::size_t most_;
  std::vector<Case> cases_;
  std::vector<std::uint64_t> keys_;
};

void drop_nodes(const Case& test_case, Candidates& candidates);
void drop_steps(const Case& test_case, Candidates& candidates);
void simplify_arguments(const Case& test_case, Candidates& candidates);
// The symbols of the first binding put in as numbers.
Case bound(Case test_case);

}  // namespace neuroncheck
