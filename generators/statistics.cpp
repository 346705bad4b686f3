#include "generators/statistics.h"

#include <limits>

#include "generators/along.h"

namespace neuroncheck::generators {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// None most of the time, else a dtype that holds every value of the row's.
Argument wider_dtype(DraftBuilder& build) {
  const bool wide = build.pick().chance(75);
  const Dtype wider = build.pick().one_of({Dtype::float32, Dtype::float64});
  if (wide || build.dtype() == Dtype::float64) return none();
  return is_floating(build.dtype()) ? argument(wider) : argument(Dtype::int64);
}

Dtype result_dtype(DraftBuilder& build, const Argument& dtype) {
  const auto* given = std::get_if<Dtype>(&dtype.value);
  return given == nullptr ? widened(build.dtype()) : *given;
}

// Powers for which |x|^p overflows only where x is special.
// Those without an identity take no tensor that is empty anywhere: torch's own fake kernels refuse it.
double norm_power(DraftBuilder& build) {
  if (build.edge() == Edge::empty) return build.pick().one_of({2.0, 1.0, 0.0, 3.0, 0.5});
  return build.pick().one_of({2.0, 2.0, 2.0, 1.0, 0.0, kInfinity, -kInfinity, 3.0, 0.5, -1.0});
}

bool has_identity(double power) { return power >= 0.0 && power < kInfinity; }

Fills lengths(DraftBuilder& build, std::int64_t count) {
  Fills choices = terms(build.dtype(), count);
  choices.push_back(counted(FillKind::repeated, 4));
  return choices;
}

// Two values in rows of odd length: one of them is more frequent.
Sizes odd_rows(Sizes sizes, std::size_t dim) {
  if (!sizes.empty() && sizes[dim] % 2 == 0) ++sizes[dim];
  return sizes;
}

enum class Takes : std::uint8_t { any_layout, no_expanded };

Recipe picking(FillsOf fills, bool with_k, Takes takes) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::refuses);
    const ValueRef self = build.input(reduced.sizes, fills(build.dtype()));
    if (takes == Takes::no_expanded) made_contiguous(build, self, {LayoutKind::expanded});
    const std::int64_t dim = reduced.dims.front();
    const bool keepdim = build.pick().chance(50);
    const std::int64_t k = build.pick().between(1, reduced.count);
    build.returns(build.call(with_k ? arguments(self, k, dim, keepdim) : arguments(self, dim, keepdim)), 2);
  };
}

}  // namespace

Recipe whole(FillsOf fills, OnEmpty on_empty, Made made, Form form) {
  return [=](DraftBuilder& build) {
    const ValueRef self = build.input(draw_whole(build, on_empty), fills(build.dtype()));
    call_and_return(build, form, arguments(self), {{}, made(build.dtype())});
  };
}

Recipe whole_typed(FillsOf fills, Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = draw_whole(build, OnEmpty::identity);
    const ValueRef self = build.input(sizes, joined(terms(build.dtype(), build.budget()), fills(build.dtype())));
    const Argument dtype = wider_dtype(build);
    call_and_return(build, form, arguments(self, dtype), {{}, result_dtype(build, dtype)});
  };
}

Recipe whole_product() {
  return [](DraftBuilder& build) {
    const Sizes sizes = draw_sizes(build.pick(), build.edge(), {.budget = 129});
    // In 16 bits the CPU's kernel multiplies an expanded tensor in another precision than its copy, which a fallback hands to it.
    const ValueRef self = made_contiguous(build, build.input(sizes, product_terms(build.dtype())), {LayoutKind::expanded});
    build.returns(build.call(arguments(self, wider_dtype(build))));
  };
}

Recipe truth_over_dims(Form form) {
  return [=](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 4, OnEmpty::identity);
    const ValueRef self = build.input(reduced.sizes, truths(build.dtype()));
    const bool keepdim = build.pick().chance(50), all = build.pick().chance(25);
    const Sizes everything(keepdim ? reduced.sizes.size() : 0, 1);
    call_and_return(build, form, arguments(self, (all ? none() : list(reduced.dims)), keepdim),
                    {all ? everything : reduced.result(keepdim), reduced_truth(build.dtype())});
  };
}

Recipe count_along() {
  return [](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::identity);
    const ValueRef self = build.input(reduced.sizes, truths(build.dtype()));
    build.returns(build.call(arguments(self, (build.pick().chance(50) ? none() : argument(reduced.dims.front())))));
  };
}

Recipe count_over_dims() {
  return [](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 4, OnEmpty::identity);
    const ValueRef self = build.input(reduced.sizes, truths(build.dtype()));
    build.returns(build.call(arguments(self, list(reduced.dims))));
  };
}

// torch 2.13's CPU median along a dimension reads past the memory of an expanded tensor.
Recipe median_along(FillsOf fills) { return picking(fills, false, Takes::no_expanded); }

Recipe kth(FillsOf fills) { return picking(fills, true, Takes::any_layout); }

Recipe mode() {
  return [](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 1, OnEmpty::refuses);
    const std::int64_t dim = reduced.dims.front();
    const Fills two = {counted(FillKind::repeated, 2), constant(1)};
    const ValueRef self = build.input(odd_rows(reduced.sizes, position_of(dim, reduced.sizes.size())), two);
    build.returns(build.call(arguments(self, dim, build.pick().chance(50))), 2);
  };
}

Recipe variance_unbiased() {
  return [](DraftBuilder& build) {
    const Reduced reduced = draw_reduced(build, 4, OnEmpty::identity);
    const ValueRef self = build.input(reduced.sizes, terms(build.dtype(), reduced.count));
    const bool unbiased = build.pick().chance(50);
    build.returns(build.call(arguments(self, list(reduced.dims), unbiased, build.pick().chance(50))));
  };
}

Recipe distance() {
  return [](DraftBuilder& build) {
    const double drawn = norm_power(build);
    const Sizes result = draw_whole(build, has_identity(drawn) ? OnEmpty::identity : OnEmpty::refuses);
    const auto [left, right] = broadcast_pair(build.pick(), result);
    const ValueRef self = build.input(left, lengths(build, build.budget()));
    // torch 2.13 has no gradient of the norm that counts, and dist raises where it needs one.
    const double power = drawn == 0.0 && build.spec(self).requires_grad ? 2.0 : drawn;
    const ValueRef other = build.input(right, lengths(build, build.budget()));
    build.returns(build.call(arguments(self, other, power)));
  };
}

Recipe norm_over_dims() {
  return [](DraftBuilder& build) {
    const double power = norm_power(build);
    const Reduced reduced = draw_reduced(build, 4, has_identity(power) ? OnEmpty::identity : OnEmpty::refuses);
    const ValueRef self = build.input(reduced.sizes, lengths(build, reduced.count));
    const Argument p = build.pick().chance(20) && has_identity(power) ? none() : argument(power);
    build.returns(build.call(arguments(self, p, list(reduced.dims), build.pick().chance(50))));
  };
}

Recipe vector_norm(Form form) {
  return [=](DraftBuilder& build) {
    const double power = norm_power(build);
    const Reduced reduced = draw_reduced(build, 4, has_identity(power) ? OnEmpty::identity : OnEmpty::refuses);
    const ValueRef self = build.input(reduced.sizes, lengths(build, reduced.count));
    const bool keepdim = build.pick().chance(50), all = has_identity(power) && build.pick().chance(20);
    const Argument dtype = wider_dtype(build);
    const Sizes everything(keepdim ? reduced.sizes.size() : 0, 1);
    call_and_return(build, form, arguments(self, power, (all ? none() : list(reduced.dims)), keepdim, dtype),
                    {all ? everything : reduced.result(keepdim), result_dtype(build, dtype)});
  };
}

Recipe renorm() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes(2);
    const ValueRef self = build.input(sizes, lengths(build, build.budget()));
    const double power = build.pick().one_of({2.0, 1.0, 3.0, 0.5}), largest = build.pick().one_of({1.0, 0.5, 7.0, 0.0});
    build.returns(build.call(arguments(self, power, dimension(build, sizes.size()), largest)));
  };
}

Recipe trace() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes(2, 2);
    build.returns(build.call(arguments(build.input(sizes, terms(build.dtype(), std::min(sizes[0], sizes[1]))))));
  };
}

Fills all_different(Dtype /*dtype*/) { return {fill_of(FillKind::distinct)}; }

Recipe scan_plain(FillsOf fills, int outputs) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, fills(build.dtype()));
    build.returns(build.call(arguments(self, dimension(build, sizes.size()))), outputs);
  };
}

Recipe cumulative_product() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = build.input(sizes, product_terms(build.dtype()));
    const std::int64_t dim = dimension(build, sizes.size());
    build.returns(build.call(arguments(self, dim, wider_dtype(build))));
  };
}

Recipe safe_softmax() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    Fills choices = moderate(build.dtype());
    choices.push_back(constant(-kInfinity));
    const ValueRef self = build.input(sizes, std::move(choices));
    const std::int64_t dim = dimension(build, sizes.size());
    build.returns(build.call(arguments(self, dim, none())));
  };
}

}  // namespace neuroncheck::generators
