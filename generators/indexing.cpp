#include "generators/indexing.h"

#include "generators/indexed.h"

namespace neuroncheck::generators {
namespace {

// What is false or zero here and there, exactly: no number that a device may flush or narrow to zero.
Fills some_zeros(Dtype dtype) {
  Fills fills = {counted(FillKind::repeated, 2), counted(FillKind::repeated, 3), constant(0), constant(1)};
  if (is_floating(dtype)) {
    fills.push_back(counted(FillKind::exact_integer, 1));
  }
  return fills;
}

// One index for each dimension, and a mask, of the same sizes.
struct MaskedIndex {
  ValueRef mask;
  ArgumentList index;
};

MaskedIndex masked_index(DraftBuilder& build, const Sizes& self, const Sizes& sizes) {
  MaskedIndex made{build.input(Dtype::bool_, sizes, masks()), {}};
  for (const std::int64_t size : self) {
    made.index.push_back(argument(build.input(Dtype::int64, sizes, indices(size))));
  }
  return made;
}

// None of its dimensions is empty, so that it can be indexed.
Sizes indexable_sizes(DraftBuilder& build) {
  return draw_sizes(build.pick(), build.edge() == Edge::scalar ? Edge::scalar : Edge::none, {.min_rank = 1, .max_rank = 3, .budget = build.budget()});
}

Sizes few_sizes(DraftBuilder& build, int min_rank = 0) {
  return draw_sizes(build.pick(), build.edge(), {.min_rank = min_rank, .max_rank = 2, .budget = 129});
}

}  // namespace

Recipe index_select(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const std::int64_t count = draw_count(build, in);
    const ValueRef self = build.input(in.sizes, markers(build.dtype()));
    const Dtype index_dtype = build.pick().chance(80) ? Dtype::int64 : Dtype::int32;
    const ValueRef index = build.input(index_dtype, {count}, indices(in.size));
    call_and_return(build, form, arguments(self, in.dim, index), {in.resized(count), build.dtype()});
  };
}

Recipe gather(Form form) {
  return [=](DraftBuilder& build) {
    const Along in = draw_along(build);
    const ValueRef self = build.input(in.sizes, markers(build.dtype()));
    const Sizes sizes = index_sizes(build, in);
    const ValueRef index = build.input(Dtype::int64, sizes, indices(in.size));
    ArgumentList in_order = arguments(self, in.dim, index);
    if (form == Form::out) {
      in_order.push_back(argument(false));  // sparse_grad
    }
    call_and_return(build, form, std::move(in_order), {sizes, build.dtype()});
  };
}

Recipe take() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const std::int64_t count = element_count(sizes);
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    const ValueRef index =
        build.input(Dtype::int64, count == 0 ? Sizes{0} : few_sizes(build, 1), indices(count));  // of a 0-dim index torch.compile makes an int
    build.returns(build.call(arguments(self, index)));
  };
}

Recipe index_tensors(Form form) {
  return [=](DraftBuilder& build) {
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
    std::size_t rest = first + 1;
    if (rest < sizes.size() && indexable(rest) && build.pick().chance(50)) {
      index_list.push_back(argument(build.input(Dtype::int64, broadcastable(build.pick(), index_sizes), indices(sizes[rest]))));
      ++rest;
    }
    const Sizes before(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(first));
    const Sizes behind(sizes.begin() + static_cast<std::ptrdiff_t>(rest), sizes.end());
    const Sizes result = joined(joined(before, index_sizes), behind);
    call_and_return(build, form, arguments(self, index_list), {result, build.dtype()});
  };
}

Recipe embedding() {
  return [](DraftBuilder& build) {
    const std::int64_t rows = boundary_size(build.pick(), 129);
    const std::int64_t width = boundary_size(build.pick(), 33);
    const ValueRef weight = build.input({rows, width}, markers(build.dtype()));
    const Sizes sizes = few_sizes(build);
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

Recipe masked_select(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    const ValueRef mask = build.input(Dtype::bool_, broadcastable(build.pick(), sizes), masks());
    call_and_return(build, form, arguments(self, mask), {{0}, build.dtype()});  // how many there are depends on the mask: out is resized
  };
}

Recipe masked_scatter() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    const ValueRef mask = build.input(Dtype::bool_, broadcastable(build.pick(), sizes), masks());
    const ValueRef source = build.input(sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, mask, source)));
  };
}

Recipe masked_scatter_backward() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef grad = build.input(sizes, markers(build.dtype()));
    const ValueRef mask = build.input(Dtype::bool_, sizes, masks());
    build.returns(build.call(arguments(grad, mask, list(sizes))));
  };
}

Recipe nonzero(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, some_zeros(build.dtype()));
    call_and_return(build, form, arguments(self), {{0, static_cast<std::int64_t>(sizes.size())}, Dtype::int64});
  };
}

Recipe nonzero_static(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, some_zeros(build.dtype()));
    const std::int64_t most = build.pick().chance(15) ? 0 : boundary_size(build.pick(), element_count(sizes) + 2);
    const std::int64_t padding = build.pick().one_of<std::int64_t>({-1, 0, 7});
    call_and_return(build, form, arguments(self, most, padding), {{most, static_cast<std::int64_t>(sizes.size())}, Dtype::int64});
  };
}

Recipe index_select_backward() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build);
    const std::int64_t count = draw_count(build, in);
    const ValueRef grad = build.input(in.resized(count), terms(build.dtype(), count));
    const ValueRef index = build.input(Dtype::int64, {count}, indices(in.size));
    build.returns(build.call(arguments(grad, list(in.sizes), in.dim, index)));
  };
}

Recipe embedding_dense_backward(Form form) {
  return [=](DraftBuilder& build) {
    const std::int64_t rows = boundary_size(build.pick(), 129);
    const std::int64_t width = boundary_size(build.pick(), 33);
    const Sizes sizes = few_sizes(build);
    Sizes grad_sizes = sizes;
    grad_sizes.push_back(width);
    const ValueRef grad = build.input(grad_sizes, terms(build.dtype(), element_count(sizes)));
    const ValueRef index = build.input(Dtype::int64, sizes, indices(rows));
    const std::int64_t padding = build.pick().chance(70) ? -1 : build.pick().below(rows);
    const bool by_frequency = build.pick().chance(30);
    call_and_return(build, form, arguments(grad, index, rows, padding, by_frequency), {{rows, width}, build.dtype()});
  };
}

Recipe unsafe_masked_index() {
  return [](DraftBuilder& build) {
    const Sizes self_sizes = indexable_sizes(build);
    const ValueRef self = build.input(self_sizes, markers(build.dtype()));
    const MaskedIndex in = masked_index(build, self_sizes, few_sizes(build));
    build.returns(build.call(arguments(self, in.mask, in.index, scalar(build))));
  };
}

Recipe unsafe_masked_index_put() {
  return [](DraftBuilder& build) {
    const Sizes self_sizes = indexable_sizes(build), sizes = few_sizes(build);
    const Fills choices = terms(build.dtype(), element_count(sizes) + 1);
    const ValueRef self = build.input(self_sizes, choices);
    const MaskedIndex in = masked_index(build, self_sizes, sizes);
    const ValueRef values = build.input(sizes, choices);
    build.returns(build.call(arguments(self, in.mask, in.index, values)));
  };
}

}  // namespace neuroncheck::generators
