#include "harness/fill.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "harness/element_bits.h"
#include "harness/fill_value.h"
#include "harness/random.h"
#include "harness/tensor_spec.h"

namespace neuroncheck {
namespace {

// The numbers of one row (the last dimension), reused from row to row. Columns are drawn in pairs: one call of the generator gives two words.
struct RowDraws {
  std::vector<std::uint64_t> words;
  std::vector<double> normals;
  std::vector<std::int64_t> ranks;

  void draw_words(std::uint64_t seed, std::uint64_t row) {
    for (std::size_t column = 0; column < words.size(); column += 2) {
      const auto numbers = philox(seed, column / 2, row);
      words[column] = static_cast<std::uint64_t>(numbers[0]) << 32 | numbers[1];
      words[column + 1] = static_cast<std::uint64_t>(numbers[2]) << 32 | numbers[3];
    }
  }

  // Box and Muller (1958).
  void draw_normals() {
    normals.resize(words.size());
    for (std::size_t column = 0; column < words.size(); column += 2) {
      const double radius = std::sqrt(-2.0 * std::log(unit_of(words[column]) + 0x1p-53));
      const double angle = 2.0 * std::numbers::pi * unit_of(words[column + 1]);
      normals[column] = radius * std::cos(angle);
      normals[column + 1] = radius * std::sin(angle);
    }
  }

  // ranks[c]: how many words of the row are smaller than word c.
  void draw_ranks(std::size_t width) {
    std::vector<std::size_t> order(width);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return std::pair(words[a], a) < std::pair(words[b], b); });
    ranks.resize(width);
    for (std::size_t i = 0; i < width; ++i) ranks[order[i]] = static_cast<std::int64_t>(i);
  }
};

// Coordinates of the row as one number. A coordinate of 0 adds nothing and dimensions count from the last, so that dropping a leading
// dimension of size 1 keeps every value.
std::uint64_t row_number(const std::vector<std::int64_t>& coordinates) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (coordinates[i] > 0) number ^= mix(coordinates.size() - i, static_cast<std::uint64_t>(coordinates[i]));
  }
  return number;
}

void advance(std::vector<std::int64_t>& coordinates, std::span<const std::int64_t> sizes) {
  for (std::size_t i = coordinates.size(); i-- > 0;) {
    if (++coordinates[i] < sizes[i]) return;
    coordinates[i] = 0;
  }
}

// Where elements go: width and distance between them differ for the parts of complex numbers.
struct Target {
  std::byte* first = nullptr;
  std::size_t width = 0;
  std::size_t step = 0;
};

void draw_elements(const Fill& fill, Dtype dtype, std::span<const std::int64_t> sizes, Target target) {
  const std::int64_t count = element_count(sizes);
  if (count == 0) return;
  const std::size_t width = sizes.empty() ? 1 : static_cast<std::size_t>(sizes.back());
  std::vector<std::int64_t> coordinates(sizes.empty() ? 0 : sizes.size() - 1);
  const ElementMaker make(fill, dtype);
  RowDraws row;
  row.words.resize(width + width % 2);
  for (std::int64_t first = 0; first < count; first += static_cast<std::int64_t>(width)) {
    if (fill.kind != FillKind::constant) row.draw_words(fill.seed, row_number(coordinates));
    if (wants_normal(fill.kind)) row.draw_normals();
    if (fill.kind == FillKind::permutation) row.draw_ranks(width);
    for (std::size_t column = 0; column < width; ++column) {
      const ElementDraw draw{.word = row.words[column],
                             .normal = row.normals.empty() ? 0.0 : row.normals[column],
                             .linear = first + static_cast<std::int64_t>(column),
                             .rank = row.ranks.empty() ? 0 : row.ranks[column]};
      store(target.first, target.width, make(draw));
      target.first += target.step;
    }
    advance(coordinates, sizes);
  }
}

void copy_literal(const Fill& fill, std::size_t width, std::vector<std::byte>& bytes) {
  if (fill.bits.size() * width != bytes.size()) throw std::logic_error("a literal fill has another number of elements than its tensor");
  for (std::size_t i = 0; i < fill.bits.size(); ++i) store(bytes.data() + i * width, width, fill.bits[i]);
}

}  // namespace

std::vector<std::byte> make_values(const Fill& fill, Dtype dtype, std::span<const std::int64_t> sizes) {
  const std::size_t width = bytes_of(dtype);
  std::vector<std::byte> bytes(static_cast<std::size_t>(element_count(sizes)) * width);
  if (fill.kind == FillKind::literal) {
    copy_literal(fill, width, bytes);
  } else if (kind_of(dtype) == DtypeKind::complex) {
    Fill imaginary = fill;
    imaginary.seed = mix(fill.seed, 1);
    if (fill.kind == FillKind::constant) imaginary.low = 0.0;
    draw_elements(fill, Dtype::float32, sizes, {bytes.data(), width / 2, width});
    draw_elements(imaginary, Dtype::float32, sizes, {bytes.data() + width / 2, width / 2, width});
  } else {
    draw_elements(fill, dtype, sizes, {bytes.data(), width, width});
  }
  return bytes;
}

}  // namespace neuroncheck
