#include "generators/views.h"

#include <algorithm>

#include "generators/along.h"
#include "generators/strided_window.h"

namespace neuroncheck::generators {
namespace {

void call_on(DraftBuilder& build, Form form, const Sizes& sizes, ArgumentList tail, int outputs = 1) {
  const ValueRef self = self_operand(build, form, sizes, markers(build.dtype()));
  tail.insert(tail.begin(), argument(self));
  build.returns(build.call(std::move(tail)), outputs);
}

Sizes with_ones(DraftBuilder& build, Sizes sizes) {
  for (std::int64_t& size : sizes) {
    size = build.pick().chance(35) ? 1 : size;
  }
  return sizes;
}

// At most this many pieces come out of a split.
constexpr std::int64_t kPieces = 4;

}  // namespace

Recipe whole(int max_rank) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes(0, max_rank);
    call_on(build, Form::functional, with_ones(build, sizes), {});
  };
}

Recipe clone() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const bool image = sizes.size() == 4 && build.pick().chance(60);
    const Argument format = image                     ? argument("torch.channels_last")
                            : build.pick().chance(50) ? none()
                                                      : argument(build.pick().one_of({"torch.contiguous_format", "torch.preserve_format"}));
    call_on(build, Form::functional, sizes, arguments(format));
  };
}

Recipe contiguous() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const bool image = sizes.size() == 4 && build.pick().chance(60);
    call_on(build, Form::functional, sizes, arguments(image ? "torch.channels_last" : "torch.contiguous_format"));
  };
}

Recipe squeeze_dim(Form form) {
  return [=](DraftBuilder& build) {
    Along self = draw_along(build);
    if (!self.sizes.empty() && self.size != 0 && build.pick().chance(70)) {
      self.sizes[self.at] = 1;
    }
    call_on(build, form, self.sizes, arguments(self.dim));
  };
}

Recipe squeeze_dims() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const Sizes dims = some_dimensions(build, sizes.size());
    call_on(build, Form::functional, with_ones(build, sizes), arguments(list(dims)));
  };
}

Recipe unsqueeze(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    call_on(build, form, sizes, arguments(dimension(build, sizes.size() + 1)));
  };
}

Recipe set_to_source() {
  return [](DraftBuilder& build) {
    const ValueRef self = build.written(build.dtype(), build.sizes(), markers(build.dtype()));
    build.returns(build.call(arguments(self, build.input(build.sizes(), markers(build.dtype())))));
  };
}

Recipe transpose(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const std::int64_t first = dimension(build, sizes.size());
    call_on(build, form, sizes, arguments(first, dimension(build, sizes.size())));
  };
}

Recipe select() {
  return [](DraftBuilder& build) {
    const Along self = draw_along(build, 1, Empty::never);
    call_on(build, Form::functional, self.sizes, arguments(self.dim, build.pick().between(-self.size, self.size - 1)));
  };
}

Recipe narrow() {
  return [](DraftBuilder& build) {
    const Along self = draw_along(build, 1);
    const std::int64_t start = build.pick().between(0, self.size);
    const std::int64_t length = build.pick().between(0, self.size - start);
    // Torch 2.13 raises in the backward of a start from the end when the slice reaches the end.
    const bool from_end = start + length < self.size && build.pick().chance(30);
    call_on(build, Form::functional, self.sizes, arguments(self.dim, from_end ? start - self.size : start, length));
  };
}

Recipe split() {
  return [](DraftBuilder& build) {
    const Along self = draw_along(build, 1);
    const std::int64_t least = std::max<std::int64_t>((self.size + kPieces - 1) / kPieces, self.size == 0 ? 0 : 1);
    const std::int64_t size = build.pick().between(least, self.size + 1);
    const std::int64_t pieces = self.size == 0 ? 1 : (self.size + size - 1) / size;
    call_on(build, Form::functional, self.sizes, arguments(size, self.dim), static_cast<int>(pieces));
  };
}

Recipe split_with_sizes() {
  return [](DraftBuilder& build) {
    const Along self = draw_along(build, 1);
    Sizes pieces;
    std::int64_t left = self.size;
    for (std::int64_t more = build.pick().between(0, kPieces - 1); more > 0; --more) {
      pieces.push_back(build.pick().between(0, left));
      left -= pieces.back();
    }
    pieces.push_back(left);
    call_on(build, Form::functional, self.sizes, arguments(list(pieces), self.dim), static_cast<int>(pieces.size()));
  };
}

Recipe unbind() {
  return [](DraftBuilder& build) {
    Along self = draw_along(build, 1, Empty::never);
    self.sizes[self.at] = std::min(self.size, kPieces);
    call_on(build, Form::functional, self.sizes, arguments(self.dim), static_cast<int>(self.sizes[self.at]));
  };
}

Recipe unfold() {
  return [](DraftBuilder& build) {
    const Along self = draw_along(build);
    const std::int64_t size = build.pick().between(0, std::min<std::int64_t>(self.size, 5));
    call_on(build, Form::functional, self.sizes, arguments(self.dim, size, build.pick().between(1, 4)));
  };
}

Recipe diagonal() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes(2);
    const auto [first, second] = two_dimensions(build, sizes.size());
    const std::int64_t rows = sizes[position_of(first, sizes.size())], columns = sizes[position_of(second, sizes.size())];
    call_on(build, Form::functional, sizes, arguments(build.pick().between(-rows - 1, columns + 1), first, second));
  };
}

Recipe as_strided() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const bool apart = build.pick().chance(60);
    const StridedWindow window = draw_window(build, element_count(sizes), apart ? Overlap::never : Overlap::allowed);
    const ValueRef self = contiguous_input(build, sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, list(window.sizes), list(window.strides), window.offset)));
  };
}

Recipe reshape_alias() {
  return [](DraftBuilder& build) {
    Sizes sizes = build.sizes();
    const ValueRef self = made_viewable(build, build.input(sizes, markers(build.dtype())));
    Sizes strides(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;) {
      strides[i - 1] = strides[i] * std::max<std::int64_t>(sizes[i], 1);
    }
    const auto at = build.pick().below(static_cast<std::int64_t>(sizes.size()) + 1);
    sizes.insert(sizes.begin() + at, 1);
    strides.insert(strides.begin() + at, build.pick().between(1, 3));
    build.returns(build.call(arguments(self, list(sizes), list(strides))));
  };
}

}  // namespace neuroncheck::generators
