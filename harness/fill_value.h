// One element of a fill, from the random word of its coordinates.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/dtype.h"
#include "harness/fill.h"

namespace neuroncheck {

// What an element's value may depend on.
struct ElementDraw {
  std::uint64_t word = 0;   // 64 random bits
  double normal = 0.0;      // N(0, 1) from the upper 53 bits of the words of a pair of columns; only where wants_normal
  std::int64_t linear = 0;  // row-major number: `distinct` alone
  std::int64_t rank = 0;    // place in the sorted row: `permutation` alone
};

bool wants_normal(FillKind kind);

// Uniform in [0, 1) from the upper 53 bits; the lower 11 are free for other choices.
inline double unit_of(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

// Elements of one fill in one dtype (complex64: its float32 parts).
class ElementMaker {
 public:
  ElementMaker(const Fill& fill, Dtype dtype);
  // The bit pattern.
  std::uint64_t operator()(const ElementDraw& draw) const;

 private:
  double floating(const ElementDraw& draw) const;
  double tie(const ElementDraw& draw) const;
  double special(const ElementDraw& draw) const;
  double distinct(std::int64_t linear) const;
  double probability(const ElementDraw& draw) const;
  std::int64_t integer(const ElementDraw& draw) const;
  std::int64_t exact_integer(std::uint64_t word) const;
  std::int64_t fit(std::int64_t value) const;
  std::int64_t fit(double value) const;

  const Fill& fill_;
  Dtype dtype_;
  DtypeKind kind_;
  std::int64_t smallest_ = 0, largest_ = 0;  // integer dtypes
  std::vector<double> specials_;             // floating dtypes
  std::vector<std::int64_t> extremes_;       // integer dtypes
};

}  // namespace neuroncheck
