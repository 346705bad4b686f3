#include "generators/products.h"

#include <algorithm>

#include "generators/matmul.h"

namespace neuroncheck::generators {
namespace {

struct Scales {
  Argument beta, alpha;
};

Scales draw_scales(DraftBuilder& build) {
  if (build.dtype() == Dtype::bool_) return {argument(true), argument(true)};
  return {choose(build, {1.0, 1.0, 0.0, 0.5}, {1, 1, 0, 2}), choose(build, {1.0, 1.0, 2.0, -0.5}, {1, 1, 2, 3})};
}

Fills factors_of(DraftBuilder& build, std::int64_t count) { return build.dtype() == Dtype::bool_ ? masks() : factors(build.dtype(), count); }

// One at slot 0, none at slot 1.
std::int64_t draw_length(DraftBuilder& build) {
  if (build.edge() == Edge::scalar) return 1;
  return build.edge() == Edge::empty ? 0 : boundary_size(build.pick(), 2049);
}

std::int64_t draw_batch(DraftBuilder& build) { return build.edge() == Edge::empty ? build.pick().between(0, 3) : build.pick().between(1, 4); }

struct Product {
  Sizes result, left, right;
  std::int64_t terms;
};

// beta * self + alpha * left * right.
void added(DraftBuilder& build, Form form, const Product& product) {
  // Compiled, torch 2.13 gives an addmv.out whose self broadcasts the wrong shape.
  const Sizes sizes = form == Form::functional ? broadcastable(build.pick(), product.result) : product.result;
  const Fills choices = factors_of(build, product.terms);
  const ValueRef self = self_operand(build, form, sizes, choices);
  const ValueRef left = build.input(product.left, choices);
  const ValueRef right = build.input(product.right, choices);
  const auto [beta, alpha] = draw_scales(build);
  call_and_return(build, form, arguments(self, left, right, beta, alpha), {product.result, build.dtype()});
}

// Ends of `groups` groups within [0, last], in order; some are empty.
std::vector<std::uint64_t> draw_ends(DraftBuilder& build, std::int64_t groups, std::int64_t last) {
  std::vector<std::uint64_t> ends;
  for (std::int64_t i = 0; i < groups; ++i) ends.push_back(static_cast<std::uint64_t>(build.pick().between(0, last)));
  std::sort(ends.begin(), ends.end());
  ends.back() = static_cast<std::uint64_t>(last);  // what no group covers is left undefined
  return ends;
}

}  // namespace

Recipe dot(Form form) {
  return [=](DraftBuilder& build) {
    const std::int64_t length = draw_length(build);
    const ValueRef left = build.input({length}, factors(build.dtype(), length));
    const ValueRef right = build.input({length}, factors(build.dtype(), length));
    call_and_return(build, form, arguments(left, right), {{}, build.dtype()});
  };
}

Recipe mv(Form form) {
  return [=](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    const ValueRef matrix = build.input({rows, inner}, factors(build.dtype(), inner));
    const ValueRef vector = build.input({inner}, factors(build.dtype(), inner));
    call_and_return(build, form, arguments(matrix, vector), {{rows}, build.dtype()});
  };
}

Recipe addmv(Form form) {
  return [=](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    added(build, form, {{rows}, {rows, inner}, {inner}, inner});
  };
}

Recipe addr() {
  return [](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    added(build, Form::functional, {{rows, columns}, {rows}, {columns}, 1});
    // In 16 bits a device may take it apart; what strides the parts make of a strided self is theirs.
    made_contiguous(build, {.node = -1, .index = 0});
  };
}

Recipe addbmm() {
  return [](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    const std::int64_t batch = draw_batch(build);
    added(build, Form::functional, {{rows, columns}, {batch, rows, inner}, {batch, inner, columns}, batch * inner});
  };
}

Recipe baddbmm() {
  return [](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    const std::int64_t batch = draw_batch(build);
    added(build, Form::functional, {{batch, rows, columns}, {batch, rows, inner}, {batch, inner, columns}, inner});
  };
}

Recipe linear(Form form) {
  return [=](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    Sizes input = {rows, inner}, result = {rows, columns};
    if (form != Form::out && build.pick().chance(40)) {  // torch 2.13 refuses an out= of three dimensions that is not contiguous
      const std::int64_t batch = build.pick().between(1, 3);
      input.insert(input.begin(), batch);
      result.insert(result.begin(), batch);
    }
    const Fills choices = factors(build.dtype(), inner + 1);
    const ValueRef self = build.input(input, choices);
    const ValueRef weight = build.input({columns, inner}, choices);
    const Argument bias = build.pick().chance(60) ? argument(build.input({columns}, choices)) : none();
    call_and_return(build, form, arguments(self, weight, bias), {result, build.dtype()});
  };
}

Recipe grouped_mm() {
  return [](DraftBuilder& build) {
    const std::int64_t groups = build.pick().between(1, 3);
    const std::int64_t rows = boundary_size(build.pick(), 33), inner = 8 * build.pick().between(1, 8), columns = 8 * build.pick().between(1, 4);
    const Fills choices = factors(build.dtype(), inner);
    const bool batched = build.pick().chance(40);
    // Strides have to be multiples of 16 bytes.
    const ValueRef self = contiguous_input(build, batched ? Sizes{groups, rows, inner} : Sizes{rows, inner}, choices);
    const ValueRef other = contiguous_input(build, {groups, inner, columns}, choices);
    if (batched) {
      build.returns(build.call(arguments(self, other)));
      return;
    }
    const Fill ends{.kind = FillKind::literal, .bits = draw_ends(build, groups, rows)};
    const ValueRef offsets = made_contiguous(build, build.written(Dtype::int32, {groups}, {ends}));
    build.returns(build.call(arguments(self, other, offsets)));
  };
}

// Hardware multiplies tiles of 16; torch's meta kernel wants them everywhere.
Recipe scaled_mm(Form form) {
  return [=](DraftBuilder& build) {
    const std::int64_t rows = draw_length(build), inner = 16 * build.pick().between(1, 9), columns = 16 * build.pick().between(1, 4);
    const ValueRef self = contiguous_input(build, {rows, inner}, factors(build.dtype(), inner));
    const ValueRef transposed = contiguous_input(build, Dtype::float8_e4m3fn, {columns, inner}, factors(Dtype::float8_e4m3fn, inner));
    const bool by_row = build.pick().chance(50);
    const Fills scales = {between(0.01, 4.0), constant(0.5)};
    const ValueRef scale_a = contiguous_input(build, Dtype::float32, by_row ? Sizes{rows, 1} : Sizes{}, scales);
    const ValueRef scale_b = contiguous_input(build, Dtype::float32, by_row ? Sizes{1, columns} : Sizes{}, scales);
    const Dtype made = build.pick().one_of({Dtype::bfloat16, Dtype::float16, Dtype::float32});
    const Argument bias = build.pick().chance(40) ? argument(contiguous_input(build, made, {columns}, factors(made, 1))) : none();
    const ValueRef mat2 = build.call("aten::t", arguments(transposed));
    call_and_return(build, form, arguments(self, mat2, scale_a, scale_b, bias, none(), made, false), {{rows, columns}, made});
  };
}

// [b, 1, i, 1] * [1, o, i, j] * [b, 1, 1, j], summed over i and j.
Recipe trilinear() {
  return [](DraftBuilder& build) {
    const auto size = [&] { return build.edge() == Edge::scalar ? 1 : boundary_size(build.pick(), 9); };
    const std::int64_t batch = build.edge() == Edge::empty ? 0 : size(), left = size(), right = size(), made = size();
    const Fills choices = factors(build.dtype(), left * right);
    const ValueRef first = build.input({batch, left}, choices);
    const ValueRef weight = build.input({made, left, right}, choices);
    const ValueRef last = build.input({batch, right}, choices);
    build.returns(build.call(arguments(first, weight, last, list({1, 3}), list({0}), list({1, 2}), list({2, 3}))));
  };
}

}  // namespace neuroncheck::generators
