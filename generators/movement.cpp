#include "generators/movement.h"

#include <algorithm>

#include "generators/along.h"

namespace neuroncheck::generators {
namespace {

// Values that every dtype but bool holds: what a conversion makes of others depends on the machine.
Fills convertible(Dtype from, Dtype to) {
  if (is_floating(from) && !is_floating(to)) {
    return {between(0, 100), constant(2.5)};
  }
  return is_floating(from) ? numbers(from) : markers(from);
}

Dtype another_dtype(DraftBuilder& build) {
  return build.pick().one_of(
      {Dtype::float32, Dtype::bfloat16, Dtype::float16, Dtype::float64, Dtype::int64, Dtype::int32, Dtype::uint8, Dtype::bool_});
}

// The same elements in another shape: neighbours joined, or a dimension split.
Sizes reshaped(DraftBuilder& build, Sizes sizes) {
  Picker& pick = build.pick();
  if (sizes.empty()) {
    return Sizes(static_cast<std::size_t>(pick.between(0, 2)), 1);
  }
  const auto at = static_cast<std::size_t>(pick.below(static_cast<std::int64_t>(sizes.size())));
  if (at + 1 < sizes.size() && pick.chance(60)) {
    sizes[at] *= sizes[at + 1];
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    return sizes;
  }
  std::int64_t factor = 1;
  for (const std::int64_t candidate : {2, 3, 5}) {
    factor = sizes[at] % candidate == 0 ? candidate : factor;
  }
  sizes[at] /= factor;
  sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(at), factor);
  return sizes;
}

}  // namespace

Recipe view() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef self = made_viewable(build, build.input(sizes, markers(build.dtype())));
    Sizes result = reshaped(build, sizes);
    if (build.edge() != Edge::empty && !result.empty() && build.pick().chance(25)) {
      result[static_cast<std::size_t>(build.pick().below(static_cast<std::int64_t>(result.size())))] = -1;
    }
    build.returns(build.call(arguments(self, list(result))));
  };
}

Recipe view_trajectory() {
  return [](DraftBuilder& build) {
    const std::int64_t first = boundary_size(build.pick(), 66);
    const std::int64_t inner = boundary_size(build.pick(), 8);
    const SymbolRef symbol = build.symbol({first, first + build.pick().between(1, 3), first});
    const ValueRef self = build.symbolic({{.symbol = 0}, {.size = 2 * inner}}, markers(build.dtype()));
    build.returns(build.call(arguments(self, arguments(symbol, inner, std::int64_t{2}))));
  };
}

Recipe permute() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const auto rank = static_cast<std::int64_t>(sizes.size());
    Sizes dims = shuffled_dimensions(build, sizes.size());
    for (std::int64_t& dim : dims) {
      dim -= build.pick().chance(20) ? rank : 0;
    }
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, list(dims))));
  };
}

Recipe slice() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes(1);
    Picker& pick = build.pick();
    const auto at = pick.below(static_cast<std::int64_t>(sizes.size()));
    const std::int64_t size = sizes[static_cast<std::size_t>(at)];
    const std::int64_t start = pick.between(-size - 1, size);
    const std::int64_t end = pick.between(-size - 1, size + 2);  // beyond the ends is clamped, behind the start is empty
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    const Argument from = pick.chance(20) ? none() : argument(start);
    const Argument to = pick.chance(30) ? none() : argument(end);
    const std::int64_t dim = pick.chance(30) ? at - static_cast<std::int64_t>(sizes.size()) : at;
    build.returns(build.call(arguments(self, dim, from, to, pick.between(1, 3))));
  };
}

Recipe cat(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = draw_sizes(build.pick(), build.edge(), {.min_rank = 1, .budget = build.budget() / 2});
    const std::int64_t dim = dimension(build, sizes.size());
    const std::size_t at = position_of(dim, sizes.size());
    const std::int64_t count = build.pick().between(1, 3);
    ArgumentList tensors;
    Sizes result = sizes;
    result[at] = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      Sizes one = sizes;
      one[at] = i == 0 ? sizes[at] : build.pick().between(0, std::max<std::int64_t>(sizes[at], 1));
      result[at] += one[at];
      tensors.push_back(argument(build.input(one, markers(build.dtype()))));
    }
    call_and_return(build, form, arguments(tensors, dim), {result, build.dtype()});
  };
}

Recipe cat_trajectory() {
  return [](DraftBuilder& build) {
    const std::int64_t first = boundary_size(build.pick(), 66);
    build.symbol({first, first + build.pick().between(1, 3)});
    const Dim fixed{.size = boundary_size(build.pick(), 18)};
    const ValueRef left = build.symbolic({{.symbol = 0}, fixed}, markers(build.dtype()));
    const ValueRef right = build.symbolic({{.size = 2}, fixed}, markers(build.dtype()));
    build.returns(build.call(arguments(arguments(left, right), 0)));
  };
}

Recipe expand() {
  return [](DraftBuilder& build) {
    const Sizes result = build.sizes();
    const Sizes sizes = broadcastable(build.pick(), result);
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    Sizes written = result;
    const std::size_t added = result.size() - sizes.size();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const bool kept = sizes[i] == result[added + i] && build.pick().chance(30);
      written[added + i] = kept ? -1 : written[added + i];
    }
    build.returns(build.call(arguments(self, list(written), false)));
  };
}

Recipe copy(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const Dtype from = build.pick().chance(50) ? build.dtype() : another_dtype(build);
    const ValueRef self = self_operand(build, form, sizes, markers(build.dtype()));
    const ValueRef source = build.input(from, broadcastable(build.pick(), sizes), convertible(from, build.dtype()));
    build.returns(build.call(arguments(self, source, false)));
  };
}

Recipe to_copy() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const Dtype to = build.pick().chance(85) ? another_dtype(build) : build.dtype();
    const ValueRef self = build.input(sizes, convertible(build.dtype(), to));
    Argument format = none();
    if (build.pick().chance(30)) {
      format = argument(build.pick().one_of({"torch.contiguous_format", "torch.preserve_format"}));
    } else if (sizes.size() == 4 && build.pick().chance(50)) {
      format = argument("torch.channels_last");
    }
    build.returns(build.call(arguments(self, to, none(), none(), none(), false, format)));
  };
}

Recipe constant_pad() {
  return [](DraftBuilder& build) {
    Sizes sizes = draw_sizes(build.pick(), build.edge(), {.min_rank = 1, .budget = build.budget() / 4});
    Sizes pad;
    const std::int64_t padded = build.pick().between(1, std::min<std::int64_t>(static_cast<std::int64_t>(sizes.size()), 2));
    for (std::int64_t i = 0; i < padded; ++i) {
      const std::int64_t size = sizes[sizes.size() - 1 - static_cast<std::size_t>(i)];
      pad.push_back(size > 2 && build.pick().chance(25) ? -1 : build.pick().between(0, 3));
      pad.push_back(size > 2 && build.pick().chance(25) ? -1 : build.pick().between(0, 3));
    }
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, list(pad), scalar(build))));
  };
}

}  // namespace neuroncheck::generators
