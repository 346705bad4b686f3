#include "generators/matmul.h"

#include <algorithm>

namespace neuroncheck::generators {
namespace {

constexpr std::int64_t kLongest = 513;

}  // namespace

MatmulSizes draw_matmul(DraftBuilder& build) {
  if (build.edge() == Edge::scalar) {
    return {1, 1, 1};
  }
  // Multiplications, not elements, are what the reference pays for.
  std::int64_t left = 8 * build.budget();
  Sizes sizes;
  for (int i = 0; i < 3; ++i) {
    sizes.push_back(boundary_size(build.pick(), std::min(left, kLongest)));
    left /= sizes.back();
  }
  std::rotate(sizes.begin(), sizes.begin() + build.pick().below(3), sizes.end());
  if (build.edge() == Edge::empty) {
    sizes[static_cast<std::size_t>(build.pick().below(3))] = 0;
  }
  return {sizes[0], sizes[1], sizes[2]};
}

Recipe mm(Form form) {
  return [=](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    const ValueRef left = build.input({rows, inner}, factors(build.dtype(), inner));
    const ValueRef right = build.input({inner, columns}, factors(build.dtype(), inner));
    call_and_return(build, form, arguments(left, right), {{rows, columns}, build.dtype()});
  };
}

Recipe bmm(Form form) {
  return [=](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    const std::int64_t batch = build.edge() == Edge::empty ? build.pick().between(0, 3) : build.pick().between(1, 4);
    const ValueRef left = build.input({batch, rows, inner}, factors(build.dtype(), inner));
    const ValueRef right = build.input({batch, inner, columns}, factors(build.dtype(), inner));
    call_and_return(build, form, arguments(left, right), {{batch, rows, columns}, build.dtype()});
  };
}

Recipe addmm(Form form) {
  return [=](DraftBuilder& build) {
    const auto [rows, inner, columns] = draw_matmul(build);
    const Sizes result = {rows, columns};
    const Sizes self_sizes = form == Form::in_place ? result : broadcastable(build.pick(), result);
    const ValueRef self = self_operand(build, form, self_sizes, factors(build.dtype(), inner));
    const ValueRef left = build.input({rows, inner}, factors(build.dtype(), inner));
    const ValueRef right = build.input({inner, columns}, factors(build.dtype(), inner));
    const Argument beta = choose(build, {1.0, 1.0, 0.0, 0.5}, {1, 1, 0, 2});
    const Argument alpha = choose(build, {1.0, 1.0, 2.0, -0.5}, {1, 1, 2, 3});
    call_and_return(build, form, arguments(self, left, right, beta, alpha), {result, build.dtype()});
  };
}

Recipe mm_trajectory() {
  return [](DraftBuilder& build) {
    const std::int64_t first = boundary_size(build.pick(), 66);
    const std::int64_t second = first + build.pick().between(1, 3);
    build.symbol(build.pick().chance(50) ? Sizes{first, second} : Sizes{first, second, first});
    const Dim inner{.size = boundary_size(build.pick(), 66)};
    const Dim open{.symbol = 0};
    const Dim fixed{.size = boundary_size(build.pick(), 33)};
    const bool open_inner = build.pick().chance(50);
    const ValueRef left = build.symbolic({fixed, open_inner ? open : inner}, factors(build.dtype(), 66));
    const ValueRef right = build.symbolic({open_inner ? open : inner, open_inner ? fixed : open}, factors(build.dtype(), 66));
    build.returns(build.call(arguments(left, right)));
  };
}

}  // namespace neuroncheck::generators
