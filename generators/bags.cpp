#include "generators/bags.h"

#include <algorithm>

#include "generators/indexed.h"

namespace neuroncheck::generators {
namespace {

enum Mode : std::int64_t { sum = 0, mean = 1, largest = 2 };

struct Bags {
  std::int64_t rows = 1, width = 1, indices = 0;
  std::vector<std::int64_t> starts;  // of the bags
  std::int64_t padding = -1;
};

Bags draw_bags(DraftBuilder& build) {
  Bags bags{.rows = boundary_size(build.pick(), 65), .width = boundary_size(build.pick(), 33), .indices = 0, .starts = {0}, .padding = -1};
  bags.indices = build.edge() == Edge::empty ? 0 : boundary_size(build.pick(), 65);
  const std::int64_t count = build.edge() == Edge::scalar ? 1 : build.pick().between(1, 6);
  for (std::int64_t i = 1; i < count; ++i) {
    bags.starts.push_back(build.pick().between(0, bags.indices));
  }
  std::sort(bags.starts.begin(), bags.starts.end());
  bags.padding = build.pick().chance(70) ? -1 : build.pick().below(bags.rows);
  return bags;
}

// For the backward ops: indices of known values, the bag of each, and how many of each bag count.
struct Saved {
  ValueRef indices, offsets, bag_of_index, bag_sizes;
};

Saved draw_saved(DraftBuilder& build, const Bags& bags) {
  std::vector<std::int64_t> indices, bag_of_index, sizes(bags.starts.size(), 0);
  std::size_t bag = 0;
  for (std::int64_t i = 0; i < bags.indices; ++i) {
    while (bag + 1 < bags.starts.size() && bags.starts[bag + 1] <= i) {
      ++bag;
    }
    indices.push_back(build.pick().below(bags.rows));
    bag_of_index.push_back(static_cast<std::int64_t>(bag));
    sizes[bag] += indices.back() == bags.padding ? 0 : 1;
  }
  Saved saved;
  saved.indices = numbers_of(build, indices);
  saved.offsets = numbers_of(build, bags.starts);
  saved.bag_of_index = numbers_of(build, bag_of_index);
  saved.bag_sizes = numbers_of(build, sizes);
  return saved;
}

Fills finite_terms(Dtype dtype, std::int64_t count) { return without_special(terms(dtype, count)); }

Argument sample_weights(DraftBuilder& build, const Bags& bags, std::int64_t mode) {
  const bool weighted = mode == Mode::sum && build.pick().chance(40);  // torch knows weights for sums alone
  return weighted ? argument(contiguous_input(build, {bags.indices}, factors(build.dtype(), bags.indices))) : none();
}

Sizes gradient_sizes(const Bags& bags) { return {static_cast<std::int64_t>(bags.starts.size()), bags.width}; }

}  // namespace

// Kernels below the public op read all but the table's rows as contiguous memory: embedding_bag itself makes them so.
Recipe embedding_bag() {
  return [](DraftBuilder& build) {
    const Bags bags = draw_bags(build);
    const std::int64_t mode = build.pick().one_of<std::int64_t>({Mode::sum, Mode::mean, Mode::largest});
    const ValueRef weight = contiguous_input(build, {bags.rows, bags.width}, finite_terms(build.dtype(), bags.indices));
    const ValueRef index = made_contiguous(build, build.input(Dtype::int64, {bags.indices}, indices(bags.rows)));
    const bool closed = build.pick().chance(30);
    std::vector<std::int64_t> offsets = bags.starts;
    if (closed) {
      offsets.push_back(bags.indices);
    }
    const ValueRef starts = numbers_of(build, offsets);
    const Argument weights = sample_weights(build, bags, mode);
    build.returns(build.call(arguments(weight, index, starts, false, mode, false, weights, closed, bags.padding)));
  };
}

Recipe embedding_bag_backward() {
  return [](DraftBuilder& build) {
    const Bags bags = draw_bags(build);
    const std::int64_t mode = build.pick().one_of<std::int64_t>({Mode::sum, Mode::mean});
    const ValueRef grad = contiguous_input(build, gradient_sizes(bags), finite_terms(build.dtype(), bags.indices));
    const Saved saved = draw_saved(build, bags);
    const ValueRef largest = made_contiguous(build, build.input(Dtype::int64, {0}, indices(1)));
    const bool by_frequency = build.pick().chance(15);
    const Argument weights = sample_weights(build, bags, mode);
    build.returns(build.call(arguments(grad, saved.indices, saved.offsets, saved.bag_of_index, saved.bag_sizes, largest, bags.rows, by_frequency,
                                       mode, false, weights, bags.padding)));
  };
}

Recipe embedding_bag_weights_backward() {
  return [](DraftBuilder& build) {
    const Bags bags = draw_bags(build);
    const ValueRef grad = contiguous_input(build, gradient_sizes(bags), factors(build.dtype(), bags.width));
    const ValueRef weight = contiguous_input(build, {bags.rows, bags.width}, factors(build.dtype(), bags.width));
    const Saved saved = draw_saved(build, bags);
    build.returns(build.call(arguments(grad, weight, saved.indices, saved.offsets, saved.bag_of_index, std::int64_t{Mode::sum}, bags.padding)));
  };
}

}  // namespace neuroncheck::generators
