#include "generators/indexed.h"

#include <span>

#include "generators/forms.h"
#include "harness/number_format.h"

namespace neuroncheck::generators {
namespace {

Sizes no_larger(DraftBuilder& build, Sizes sizes) {
  for (std::int64_t& size : sizes) {
    size = size > 1 && build.pick().chance(30) ? build.pick().between(1, size) : size;
  }
  return sizes;
}

}  // namespace

std::int64_t draw_count(DraftBuilder& build, const Along& indexed) {
  if (indexed.sizes.empty()) {
    return 1;
  }
  return indexed.size == 0 ? 0 : boundary_size(build.pick(), 2 * indexed.size);
}

Sizes index_sizes(DraftBuilder& build, const Along& indexed) {
  Sizes sizes = no_larger(build, indexed.sizes);
  if (!sizes.empty() && indexed.size > 0) {
    sizes[indexed.at] = boundary_size(build.pick(), 2 * indexed.size);
  }
  return sizes;
}

Sizes unique_sizes(DraftBuilder& build, const Along& indexed) { return no_larger(build, indexed.sizes); }

ValueRef unique_index(DraftBuilder& build, const Sizes& sizes, std::int64_t dim, std::int64_t limit) {
  const std::size_t along = position_of(dim, sizes.size());
  const std::int64_t size = sizes.empty() ? 1 : sizes[along];
  const std::int64_t inner = sizes.empty() ? 1 : element_count(std::span(sizes).subspan(along + 1));
  const std::int64_t count = element_count(sizes);
  const std::int64_t first = limit > 0 ? build.pick().below(limit) : 0;
  const std::int64_t step = build.pick().chance(50) ? 1 : limit - 1;
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t k = i / inner % size, line = i / (inner * size) + i % inner;
    values.push_back(static_cast<double>((first + line + k * step) % limit));
  }
  return literal(build, Dtype::int64, sizes, values);
}

ValueRef literal(DraftBuilder& build, Dtype dtype, const Sizes& sizes, const std::vector<double>& values) {
  Fill fill{.kind = FillKind::literal, .bits = {}};
  for (const double value : values) {
    fill.bits.push_back(is_floating(dtype) ? encode(dtype, value) : static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  }
  return build.written(dtype, sizes, {fill});  // never expanded: no row stands for all
}

ValueRef numbers_of(DraftBuilder& build, const std::vector<std::int64_t>& numbers) {
  const Sizes sizes{static_cast<std::int64_t>(numbers.size())};
  return made_contiguous(build, literal(build, Dtype::int64, sizes, std::vector<double>(numbers.begin(), numbers.end())));
}

}  // namespace neuroncheck::generators
