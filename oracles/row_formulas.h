// Formulas along one row of pairs (oracles.md 3.2, 3.3, 3.5): bounds hold for any order of summation, fused or not. No torch.
#pragma once

#include <span>
#include <vector>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

// What such formulas are made of. A finite value whose bound grows by this much.
Pair widened(Pair a, double by);
// What a device that runs a composite op by op, or a matrix unit that takes operands in the dtype shown, may keep of an inner result: its rounding.
Pair stored(Pair a, const Step& step);
std::vector<Pair> products(std::span<const Pair> a, std::span<const Pair> b, const Step& step);
// 1 / sqrt(variance + epsilon).
Pair reciprocal_deviation(Pair variance, double epsilon, const Step& step);

std::vector<Pair> softmax_row(const std::vector<Pair>& row, const Step& step);
std::vector<Pair> log_softmax_row(const std::vector<Pair>& row, const Step& step);
std::vector<Pair> softmax_backward_row(const std::vector<Pair>& grad, const std::vector<Pair>& output, const Step& step);
std::vector<Pair> log_softmax_backward_row(const std::vector<Pair>& grad, const std::vector<Pair>& output, const Step& step);
Pair logsumexp_row(std::span<const Pair> row, const Step& step);
Pair product_row(std::span<const Pair> row, const Step& step);

struct Moments {
  Pair mean, variance;
};
// Two passes or Welford's; the divisor is max(0, n - correction).
Moments variance_row(std::span<const Pair> row, double correction, const Step& step);

struct Affine {
  const std::vector<Pair>& weight;  // empty: ones
  const std::vector<Pair>& bias;    // empty: zeros
  double epsilon = 0.0;
};
struct NormalisedRow {
  std::vector<Pair> output;
  Pair mean, rstd;
};
struct Centre {
  Pair mean, rstd;
};
// (x - mean) rstd w + b, also folded into x (r w) + (b - m (r w)), which rounds both products.
std::vector<Pair> affine_row(std::span<const Pair> x, const Centre& centre, const Affine& affine, const Step& step);
NormalisedRow layer_norm_row(std::span<const Pair> x, const Affine& affine, const Step& step);

struct SavedNorm {
  const std::vector<Pair>& weight;
  Pair mean, rstd;
  double scale_rounding = 0.0;  // relative: torch's decomposition rounds rstd / n in the statistics' dtype (torch/_decomp/decompositions.py)
};
// (x - mean) rstd, or the folded form x rstd + (-mean rstd) of the CPU, which rounds both products: none is exact even where x = mean.
Pair normalised(Pair x, Pair mean, Pair rstd, const Step& step);
std::vector<Pair> layer_norm_backward_row(std::span<const Pair> grad, std::span<const Pair> x, const SavedNorm& saved, const Step& step);

}  // namespace neuroncheck::oracles
