// Scans along rows of pairs: bounds hold for any tree of the operation, one after the other included. No torch.
#pragma once

#include <span>
#include <vector>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

// A product that grows by a factor at a time: |v| ((1 + u)^n - 1).
class RunningProduct {
 public:
  void multiply_by(Pair factor);
  // Where partial products of some order leave the range nothing is known.
  Pair result(const Step& step) const;

 private:
  Pair product_{1.0, 0.0};
  double growth_ = 0.0, decay_ = 0.0, bits_ = 0.0;
  std::size_t count_ = 0;
};

std::vector<Pair> cumulative_product_row(std::span<const Pair> row, const Step& step);
std::vector<Pair> logcumsumexp_row(std::span<const Pair> row, const Step& step);

}  // namespace neuroncheck::oracles
