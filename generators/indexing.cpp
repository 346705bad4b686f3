#include "generators/indexing.h"

#include <algorithm>

namespace neuroncheck::generators {
namespace {

std::size_t position(std::int64_t dim, std::size_t rank) {
  return rank == 0 ? 0 : static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim);
}

// Size of a dimension; a 0-dim tensor counts as one of size 1.
std::int64_t size_at(const Sizes& sizes, std::int64_t dim) { return sizes.empty() ? 1 : sizes[position(dim, sizes.size())]; }

// A shape to index into, and the dimension.
struct Indexed {
  Sizes sizes;
  std::int64_t dim = 0;
  std::int64_t size = 1;  // of the dimension
};

Indexed draw_indexed(DraftBuilder& build) {
  Indexed indexed{.sizes = build.sizes()};
  indexed.dim = dimension(build, indexed.sizes.size());
  indexed.size = size_at(indexed.sizes, indexed.dim);
  return indexed;
}

// An index of self's rank that is no larger than self but along the dimension.
Sizes index_sizes(DraftBuilder& build, const Indexed& indexed) {
  Sizes sizes = indexed.sizes;
  for (std::int64_t& size : sizes) {
    size = size > 1 && build.pick().chance(30) ? build.pick().between(1, size) : size;
  }
  if (!sizes.empty() && indexed.size > 0) {
    sizes[position(indexed.dim, sizes.size())] = boundary_size(build.pick(), 2 * indexed.size);
  }
  return sizes;
}

}  // namespace

Recipe index_select(Form form) {
  return [=](DraftBuilder& build) {
    const Indexed in = draw_indexed(build);
    const std::int64_t count = in.sizes.empty() ? 1 : in.size == 0 ? 0 : boundary_size(build.pick(), 2 * in.size);
    const ValueRef self = build.input(in.sizes, markers(build.dtype()));
    const Dtype index_dtype = build.pick().chance(80) ? Dtype::int64 : Dtype::int32;
    const ValueRef index = build.input(index_dtype, {count}, indices(in.size));
    Sizes result = in.sizes;
    if (!result.empty()) {
      result[position(in.dim, result.size())] = count;
    }
    call_and_return(build, form, arguments(self, in.dim, index), {result, build.dtype()});
  };
}

Recipe gather() {
  return [](DraftBuilder& build) {
    const Indexed in = draw_indexed(build);
    const ValueRef self = build.input(in.sizes, markers(build.dtype()));
    const ValueRef index = build.input(Dtype::int64, index_sizes(build, in), indices(in.size));
    build.returns(build.call(arguments(self, in.dim, index)));
  };
}

Recipe scatter_add(Form form) {
  return [=](DraftBuilder& build) {
    const Indexed in = draw_indexed(build);
    const Sizes sizes = index_sizes(build, in);
    const Fills choices = terms(build.dtype(), size_at(sizes, in.dim) + 1);
    const ValueRef self = self_operand(build, form, in.sizes, choices);
    const ValueRef index = build.input(Dtype::int64, sizes, indices(in.size));
    const ValueRef source = build.input(sizes, choices);
    call_and_return(build, form, arguments(self, in.dim, index, source), {in.sizes, build.dtype()});
  };
}

Recipe index_tensors() {
  return [](DraftBuilder& build) {
    Sizes sizes = build.sizes(1);
    // Only dimensions that are not indexed may be empty.
    const auto indexable = [&](std::size_t dim) { return sizes[dim] > 0; };
    std::size_t first = 0;
    while (first + 1 < sizes.size() && (!indexable(first) || build.pick().chance(40))) {
      ++first;
    }
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    const Sizes index_sizes = build.edge() == Edge::scalar ? Sizes{} : Sizes{indexable(first) ? boundary_size(build.pick(), 33) : 0};
    ArgumentList index_list(first, none());
    index_list.push_back(argument(build.input(Dtype::int64, index_sizes, indices(sizes[first]))));
    if (first + 1 < sizes.size() && indexable(first + 1) && build.pick().chance(50)) {
      index_list.push_back(argument(build.input(Dtype::int64, broadcastable(build.pick(), index_sizes), indices(sizes[first + 1]))));
    }
    build.returns(build.call(arguments(self, index_list)));
  };
}

Recipe embedding() {
  return [](DraftBuilder& build) {
    const std::int64_t rows = boundary_size(build.pick(), 129);
    const std::int64_t width = boundary_size(build.pick(), 33);
    const ValueRef weight = build.input({rows, width}, markers(build.dtype()));
    const Sizes sizes = draw_sizes(build.pick(), build.edge(), {.max_rank = 2, .budget = 129});
    const ValueRef index = build.input(Dtype::int64, sizes, indices(rows));
    const std::int64_t padding = build.pick().chance(70) ? -1 : 0;
    build.returns(build.call(arguments(weight, index, padding, false, false)));
  };
}

Recipe masked_fill(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = self_operand(build, form, sizes, markers(build.dtype()));
    const ValueRef mask = build.input(Dtype::bool_, broadcastable(build.pick(), sizes), masks());
    call_and_return(build, form, arguments(self, mask, scalar(build)), {sizes, build.dtype()});
  };
}

Recipe topk() {
  return [](DraftBuilder& build) {
    const Indexed in = draw_indexed(build);
    const std::int64_t k = in.size == 0 ? 0 : boundary_size(build.pick(), in.size);
    const ValueRef self = build.input(in.sizes, ordered(build.dtype()));
    build.returns(build.call(arguments(self, k, in.dim, build.pick().chance(50), true)), 2);
  };
}

Recipe sort() {
  return [](DraftBuilder& build) {
    const Indexed in = draw_indexed(build);
    const ValueRef self = build.input(in.sizes, ordered(build.dtype()));
    build.returns(build.call(arguments(self, in.dim, build.pick().chance(50))), 2);
  };
}

Recipe stable_sort() {
  return [](DraftBuilder& build) {
    const Indexed in = draw_indexed(build);
    const ValueRef self = build.input(in.sizes, ordered(build.dtype()));
    build.returns(build.call(arguments(self, true, in.dim, build.pick().chance(50))), 2);
  };
}

}  // namespace neuroncheck::generators
