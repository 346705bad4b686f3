// Lengths of rows of pairs: vector norms, and what is made of them (oracles.md 3.2). No torch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

// The kind of length, and the relative errors of the functions it takes.
struct NormKind {
  double power = 2.0;  // infinities: largest and smallest magnitude; 0: how many are not zero
  double sqrt_error = 0.0;
  double pow_error = 0.0;
};

// The square root of what cannot be negative, rounded once.
Pair root(Pair a, double sqrt_error, const Step& step);
// |a|^power, as a term of a sum; a^(1/power) is what is made of the sum.
Pair magnitude_power(Pair a, const NormKind& kind, const Step& step);
Pair norm_row(std::span<const Pair> row, const NormKind& kind, const Step& step);

// The distance of two rows. As torch does where it may multiply matrices, p = 2 may also be |x|^2 + |y|^2 - 2 x y.
enum class SquaredDistance : std::uint8_t { of_differences, by_products };
struct DistanceKind {
  NormKind norm;
  SquaredDistance squared = SquaredDistance::of_differences;
};
Pair distance_row(std::span<const Pair> x, std::span<const Pair> y, const DistanceKind& kind, const Step& step);
// What one difference of two rows, whose distance is given, gives to the gradient: torch/aten/src/ATen/native/cpu/DistanceOpsKernel.cpp.
struct Difference {
  Pair difference, distance;
};
Pair distance_gradient(Pair grad, const Difference& of, const NormKind& kind, const Step& step);

// row * (largest / (norm + 1e-7)) where the norm exceeds `largest`; both are legal where that is in doubt.
std::vector<Pair> renorm_row(std::span<const Pair> row, const NormKind& kind, double largest, const Step& step);

}  // namespace neuroncheck::oracles
