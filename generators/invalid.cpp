#include "generators/invalid.h"

#include <utility>

namespace neuroncheck::generators {
namespace {

// A size from 2 on: 1 would broadcast.
std::int64_t side(DraftBuilder& build) { return 1 + boundary_size(build.pick(), 17); }

ValueRef plain(DraftBuilder& build, const Sizes& sizes) { return build.input(sizes, markers(build.dtype())); }

}  // namespace

Recipe one_of_faults(Recipes recipes) {
  return [recipes = std::move(recipes)](DraftBuilder& build) { recipes[static_cast<std::size_t>(build.slot()) % recipes.size()](build); };
}

Recipe unbroadcastable() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {2, size});
    build.returns(build.call(arguments(self, plain(build, {size + 1}))));
  };
}

Recipe self_too_small() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = build.written(build.dtype(), {size}, markers(build.dtype()));
    build.returns(build.call(arguments(self, plain(build, {2, size}))));
  };
}

Recipe result_does_not_fit() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = build.written(Dtype::int64, {size}, markers(Dtype::int64));
    build.returns(build.call(arguments(self, build.input(Dtype::float32, {size}, moderate(Dtype::float32)))));
  };
}

Recipe floating_operands() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = build.input(Dtype::float32, {size}, markers(Dtype::float32));
    build.returns(build.call(arguments(self, plain(build, {size}))));
  };
}

Recipe condition_not_bool() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef condition = build.input(Dtype::float32, {size}, markers(Dtype::float32));
    const ValueRef self = plain(build, {size});
    build.returns(build.call(arguments(condition, self, plain(build, {size}))));
  };
}

Recipe mask_not_bool() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {size});
    const ValueRef mask = build.input(Dtype::int64, {size}, indices(2));
    build.returns(build.call(arguments(self, mask, 1)));
  };
}

Recipe dim_list_out_of_range(const ArgumentList& rest) {
  return [=](DraftBuilder& build) {
    const ValueRef self = plain(build, {2, side(build)});
    build.returns(build.call(joined(arguments(self, list({build.pick().one_of<std::int64_t>({2, 5, -3})})), rest)));
  };
}

Recipe dim_list_repeated(const ArgumentList& rest) {
  return [=](DraftBuilder& build) {
    const ValueRef self = plain(build, {2, side(build)});
    build.returns(build.call(joined(arguments(self, list({0, build.pick().one_of<std::int64_t>({0, -2})})), rest)));
  };
}

Recipe dim_out_of_range(const ArgumentList& rest) {
  return [=](DraftBuilder& build) {
    const ValueRef self = plain(build, {2, side(build)});
    build.returns(build.call(joined(arguments(self, build.pick().one_of<std::int64_t>({2, 5, -3})), rest)));
  };
}

Recipe empty_without_identity(const ArgumentList& rest) {
  return [=](DraftBuilder& build) {
    const ValueRef self = plain(build, {side(build), 0});
    build.returns(build.call(joined(arguments(self, 1), rest)));
  };
}

Recipe empty_list_without_identity(const ArgumentList& rest) {
  return [=](DraftBuilder& build) {
    const ValueRef self = plain(build, {side(build), 0});
    build.returns(build.call(joined(arguments(self, list({1})), rest)));
  };
}

Recipe integer_softmax() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(Dtype::int64, {2, side(build)}, moderate(Dtype::int64));
    build.returns(build.call(arguments(self, 1, false)));
  };
}

Recipe layer_norm_wrong_shape() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {2, size});
    build.returns(build.call(arguments(self, list({size + 1}), none(), none(), 1e-5)), 3);
  };
}

Recipe mm_inner_mismatch() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef left = plain(build, {2, size});
    build.returns(build.call(arguments(left, plain(build, {size + 1, 3}))));
  };
}

Recipe mm_wrong_rank() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef left = plain(build, {2, 2, size});
    build.returns(build.call(arguments(left, plain(build, {size, 3}))));
  };
}

Recipe mm_dtype_mismatch() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef left = plain(build, {2, size});
    const Dtype other = build.dtype() == Dtype::float32 ? Dtype::int64 : Dtype::float32;
    build.returns(build.call(arguments(left, build.input(other, {size, 3}, markers(other)))));
  };
}

Recipe bmm_batch_mismatch() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef left = plain(build, {2, 3, size});
    build.returns(build.call(arguments(left, plain(build, {3, size, 2}))));
  };
}

Recipe addmm_self_mismatch() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {size + 2});
    const ValueRef left = plain(build, {2, 3});
    build.returns(build.call(arguments(self, left, plain(build, {3, size}))));
  };
}

Recipe convolution_channel_mismatch() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef input = plain(build, {1, 3, size, size});
    const ValueRef weight = plain(build, {2, 4, 1, 1});
    build.returns(build.call(arguments(input, weight, none(), list({1, 1}), list({0, 0}), list({1, 1}), false, list({0, 0}), 1)));
  };
}

Recipe convolution_kernel_too_large() {
  return [](DraftBuilder& build) {
    const std::int64_t size = build.pick().between(1, 4);
    const ValueRef input = plain(build, {1, 2, size, size});
    const ValueRef weight = plain(build, {2, 2, size + 1, 1});
    build.returns(build.call(arguments(input, weight, none(), list({1, 1}), list({0, 0}), list({1, 1}), false, list({0, 0}), 1)));
  };
}

Recipe pool_padding_too_large() {
  return [](DraftBuilder& build) {
    const ValueRef self = plain(build, {1, 2, side(build) + 2, 5});
    build.returns(build.call(arguments(self, list({2, 2}), list({1, 1}), list({2, 2}))));
  };
}

Recipe pool_kernel_too_large() {
  return [](DraftBuilder& build) {
    const std::int64_t size = build.pick().between(1, 4);
    const ValueRef self = plain(build, {1, 2, size, size});
    build.returns(build.call(arguments(self, list({size + 1, 1}), list({1, 1}))));
  };
}

Recipe index_out_of_range() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {size});
    const ValueRef index = build.input(Dtype::int64, {2}, {constant(static_cast<double>(size)), constant(static_cast<double>(size + 7))});
    build.returns(build.call(arguments(self, 0, index)));
  };
}

Recipe index_not_integer() {
  return [](DraftBuilder& build) {
    const ValueRef self = plain(build, {side(build)});
    build.returns(build.call(arguments(self, 0, build.input(Dtype::float32, {2}, {constant(0)}))));
  };
}

Recipe index_wrong_rank() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {2, size});
    build.returns(build.call(arguments(self, 0, build.input(Dtype::int64, {size}, indices(2)))));
  };
}

Recipe embedding_out_of_range() {
  return [](DraftBuilder& build) {
    const std::int64_t rows = side(build);
    const ValueRef weight = plain(build, {rows, 3});
    const ValueRef index = build.input(Dtype::int64, {2}, {constant(static_cast<double>(rows)), constant(static_cast<double>(rows + 7))});
    build.returns(build.call(arguments(weight, index)));
  };
}

Recipe topk_too_many() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {2, size});
    build.returns(build.call(arguments(self, size + 1, -1, true, true)), 2);
  };
}

Recipe view_wrong_size() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {2, size});
    build.returns(build.call(arguments(self, list({2 * size + 1}))));
  };
}

Recipe view_two_unknowns() {
  return [](DraftBuilder& build) {
    const ValueRef self = plain(build, {2, side(build)});
    build.returns(build.call(arguments(self, list({-1, -1}))));
  };
}

Recipe permute_repeated() {
  return [](DraftBuilder& build) {
    const ValueRef self = plain(build, {2, side(build)});
    build.returns(build.call(arguments(self, list({1, build.pick().one_of<std::int64_t>({1, -1})}))));
  };
}

Recipe permute_wrong_rank() {
  return [](DraftBuilder& build) {
    const ValueRef self = plain(build, {2, side(build)});
    build.returns(build.call(arguments(self, list({1, 0, 2}))));
  };
}

Recipe slice_step_zero() {
  return [](DraftBuilder& build) {
    const ValueRef self = plain(build, {side(build)});
    build.returns(build.call(arguments(self, 0, none(), none(), build.pick().one_of<std::int64_t>({0, -1}))));
  };
}

Recipe cat_mismatch() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef left = plain(build, {2, size});
    const ValueRef right = plain(build, {2, size + 1});
    build.returns(build.call(arguments(arguments(left, right), 0)));
  };
}

Recipe expand_mismatch() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {2, size});
    build.returns(build.call(arguments(self, list({2, size + 1}))));
  };
}

Recipe expand_too_short() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {2, size});
    build.returns(build.call(arguments(self, list({size}))));
  };
}

Recipe pad_odd() {
  return [](DraftBuilder& build) {
    const ValueRef self = plain(build, {2, side(build)});
    build.returns(build.call(arguments(self, list({1, 1, 1}), 0)));
  };
}

Recipe pad_below_zero() {
  return [](DraftBuilder& build) {
    const std::int64_t size = side(build);
    const ValueRef self = plain(build, {2, size});
    build.returns(build.call(arguments(self, list({-size, -1}), 0)));
  };
}

Recipe arange_zero_step() {
  return [](DraftBuilder& build) { build.returns(build.call(arguments(0, side(build), 0, build.dtype()))); };
}

Recipe arange_wrong_way() {
  return [](DraftBuilder& build) { build.returns(build.call(arguments(side(build), 0, 1, build.dtype()))); };
}

}  // namespace neuroncheck::generators
