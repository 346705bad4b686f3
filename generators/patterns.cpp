#include "generators/patterns.h"

#include "generators/matmul.h"

namespace neuroncheck::generators {
namespace {

Dtype narrower(Dtype dtype) { return dtype == Dtype::float64 ? Dtype::float32 : Dtype::bfloat16; }

ValueRef cast(DraftBuilder& build, ValueRef value, Dtype dtype) { return build.call("aten::_to_copy", arguments(value, dtype)); }

std::int64_t last_size(const Sizes& sizes) { return sizes.empty() ? 1 : sizes.back(); }

}  // namespace

Recipe add_mul_sum() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const Fills choices = factors(build.dtype(), last_size(sizes));
    const ValueRef left = build.input(sizes, choices);
    const ValueRef right = build.input(broadcastable(build.pick(), sizes), choices);
    const ValueRef weight = build.input(sizes, choices);
    const ValueRef sum = build.call("aten::add.Tensor", arguments(left, right));
    const ValueRef product = build.call("aten::mul.Tensor", arguments(sum, weight));
    build.returns(build.call("aten::sum.dim_IntList", arguments(product, list({-1}), build.pick().chance(50))));
  };
}

Recipe mul_relu_mean() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef left = build.input(sizes, factors(build.dtype(), last_size(sizes)));
    const ValueRef right = build.input(broadcastable(build.pick(), sizes), factors(build.dtype(), last_size(sizes)));
    const ValueRef relu = build.call("aten::relu", arguments(build.call("aten::mul.Tensor", arguments(left, right))));
    build.returns(build.call("aten::mean.dim", arguments(relu, list({-1}), build.pick().chance(50))));
  };
}

Recipe matmul_bias_gelu() {
  return [](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    const ValueRef left = build.input({rows, inner}, factors(build.dtype(), inner));
    const ValueRef right = build.input({inner, columns}, factors(build.dtype(), inner));
    const ValueRef bias = build.input({columns}, factors(build.dtype(), inner));
    const ValueRef product = build.call("aten::mm", arguments(left, right));
    build.returns(build.call("aten::gelu", arguments(build.call("aten::add.Tensor", arguments(product, bias)))));
  };
}

Recipe matmul_scale_softmax() {
  return [](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    const ValueRef left = build.input({rows, inner}, factors(build.dtype(), inner));
    const ValueRef right = build.input({inner, columns}, factors(build.dtype(), inner));
    const ValueRef product = build.call("aten::mm", arguments(left, right));
    const ValueRef scaled = build.call("aten::mul.Scalar", arguments(product, 0.125));
    build.returns(build.call("aten::_softmax", arguments(scaled, -1, false)));
  };
}

Recipe where_compare() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef left = build.input(sizes, ordered(build.dtype()));
    const ValueRef right = build.input(broadcastable(build.pick(), sizes), ordered(build.dtype()));
    const ValueRef below = build.call("aten::lt.Tensor", arguments(left, right));
    build.returns(build.call("aten::where.self", arguments(below, left, right)));
  };
}

Recipe exp_sum_log() {
  return [](DraftBuilder& build) {
    const Fills choices = {between(-4, 4), fill_of(FillKind::normal), constant(0)};
    const ValueRef self = build.input(draw_sizes(build.pick(), build.edge() == Edge::empty ? Edge::none : build.edge(), {}), choices);
    const ValueRef sum = build.call("aten::sum.dim_IntList", arguments(build.call("aten::exp", arguments(self)), list({-1})));
    build.returns(build.call("aten::log", arguments(sum)));
  };
}

Recipe norm_scale() {
  return [](DraftBuilder& build) {
    const std::int64_t width = build.edge() == Edge::scalar ? 1 : boundary_size(build.pick(), 513);
    const std::int64_t rows = build.edge() == Edge::empty ? 0 : build.edge() == Edge::scalar ? 1 : boundary_size(build.pick(), 18);
    const Fills choices = {fill_of(FillKind::normal), between(-4, 12)};
    const ValueRef self = build.input({rows, width}, choices);
    const ValueRef weight = build.input({width}, choices);
    const ValueRef norm = build.call("aten::native_layer_norm", arguments(self, list({width}), none(), none(), 1e-5));
    build.returns(build.call("aten::mul.Tensor", arguments(norm, weight)));
  };
}

Recipe cast_down_up() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.input(build.sizes(), numbers(build.dtype()));
    build.returns(cast(build, cast(build, self, narrower(build.dtype())), build.dtype()));
  };
}

Recipe cast_mul_cast() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, moderate(build.dtype()));
    const ValueRef narrow = cast(build, self, narrower(build.dtype()));
    const ValueRef square = build.call("aten::mul.Tensor", arguments(narrow, narrow));
    build.returns(cast(build, square, build.dtype()));
  };
}

Recipe permute_mul_sum() {
  return [](DraftBuilder& build) {
    const Sizes sizes = draw_sizes(build.pick(), build.edge(), {.min_rank = 2, .max_rank = 2});
    const Fills choices = factors(build.dtype(), sizes[0]);
    const ValueRef left = build.input(sizes, choices);
    const ValueRef right = build.input({sizes[1], sizes[0]}, choices);
    const ValueRef turned = build.call("aten::permute", arguments(left, list({1, 0})));
    const ValueRef product = build.call("aten::mul.Tensor", arguments(turned, right));
    build.returns(build.call("aten::sum.dim_IntList", arguments(product, list({1}))));
  };
}

Recipe embedding_sum() {
  return [](DraftBuilder& build) {
    const std::int64_t rows = boundary_size(build.pick(), 66);
    const std::int64_t width = boundary_size(build.pick(), 33);
    const Sizes bag = build.edge() == Edge::empty ? Sizes{2, 0} : Sizes{boundary_size(build.pick(), 8), boundary_size(build.pick(), 18)};
    const ValueRef weight = build.input({rows, width}, terms(build.dtype(), 18));
    const ValueRef index = build.input(Dtype::int64, bag, indices(rows));
    const ValueRef picked = build.call("aten::embedding", arguments(weight, index));
    build.returns(build.call("aten::sum.dim_IntList", arguments(picked, list({1}))));
  };
}

Recipe write_through_view() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes(1);
    const ValueRef self = build.written(build.dtype(), sizes, factors(build.dtype(), 1));
    const std::int64_t half = (sizes[0] + 1) / 2;
    const ValueRef front = build.call("aten::slice.Tensor", arguments(self, 0, 0, half));
    Sizes front_sizes = sizes;
    front_sizes[0] = half;
    const ValueRef weight = build.input(front_sizes, factors(build.dtype(), 1));
    build.returns(build.call("aten::mul_.Tensor", arguments(front, weight)));
  };
}

}  // namespace neuroncheck::generators
