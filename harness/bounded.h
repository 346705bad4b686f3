// The reference's answer: values with bounds (reference.md section 1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dtype.h"

namespace neuroncheck {

enum class Strength : std::uint8_t { rigorous, estimated, structural };
std::string_view name_of(Strength strength);
Strength parse_strength(std::string_view text);  // throws UserError

enum class TieRule : std::uint8_t { any, first, ascending };  // any of the equals; the first of them; stable order

// For outputs that are indices: judged by what they select, not by their numbers. Index i at a position selects source[..., i, ...] along `dim`;
// what it selects must equal `selected` (the matching value output), be a valid injection along `dim` when several are taken, and keep the tie rule.
struct Selection {
  std::vector<std::int64_t> source_sizes;
  std::vector<long double> source;    // row-major; long double holds every int64 and every float64
  std::vector<long double> selected;  // row-major, as many as there are indices
  std::int64_t dim = 0;               // of the source; -1, -3: indices are flat positions in the last two, three dimensions (max_pool2d, 3d)
  TieRule ties = TieRule::any;
  bool running = false;  // index k along `dim` selects among the first k + 1 elements, one as often as it stays the extreme (cummax)
};

// One output. Exactly one of `values` (floating dtypes) and `integers` (integer and bool dtypes) is filled, row-major.
// `bounds` is empty when every bound is zero. An integer element with bound b > 0 is ambiguous: every value within b is legal.
struct Bounded {
  Dtype dtype = Dtype::float32;
  Dtype computed_in = Dtype::float32;  // the format of the device's final rounding: float32 where the profile demotes float64, else `dtype`
  std::vector<std::int64_t> sizes;
  std::vector<double> values;
  std::vector<std::int64_t> integers;
  std::vector<double> bounds;
  std::optional<Selection> selection;
  bool unchecked = false;  // values are undefined by definition (empty, resize_): structure only
};

struct ReferenceStep {
  std::vector<Bounded> outputs;
  std::vector<Bounded> gradients;  // filled when the case takes gradients
  std::vector<Bounded> mutated;    // one per program input that the program mutates, in the order of `mutated_inputs`
  std::vector<int> mutated_inputs;
};

struct Reference {
  std::vector<ReferenceStep> steps;
  Strength strength = Strength::rigorous;
  std::string note;  // why it is not rigorous
};

}  // namespace neuroncheck
