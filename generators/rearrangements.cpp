#include "generators/rearrangements.h"

#include <algorithm>
#include <tuple>

#include "generators/along.h"
#include "generators/strided_window.h"

namespace neuroncheck::generators {
namespace {

// The CPU's shuffles give an empty tensor back as it is, even where its channels should become fewer or more.
Edge without_empty(DraftBuilder& build) { return build.edge() == Edge::empty ? Edge::none : build.edge(); }

// A tensor of an image, not in channels_last: whose strides the result takes then, kernels do not agree on.
ValueRef shuffled(DraftBuilder& build, const Sizes& sizes) {
  return made_contiguous(build, build.input(sizes, markers(build.dtype())), {LayoutKind::channels_last});
}

// At least three dimensions, the third from the end a multiple of `channels`.
Sizes image(DraftBuilder& build, std::int64_t channels) {
  Sizes sizes = draw_sizes(build.pick(), without_empty(build), {.min_rank = 3, .max_rank = 4, .budget = build.budget() / 9});
  sizes[sizes.size() - 3] *= channels;
  return sizes;
}

struct Diagonal {
  Sizes sizes, taken;
  std::int64_t offset = 0, first = 0, second = 0;
};

Diagonal draw_diagonal(DraftBuilder& build) {
  Diagonal drawn{.sizes = build.sizes(2), .taken = {}};
  const std::size_t rank = drawn.sizes.size();
  std::tie(drawn.first, drawn.second) = two_dimensions(build, rank);
  const std::size_t row = position_of(drawn.first, rank), column = position_of(drawn.second, rank);
  const std::int64_t rows = drawn.sizes[row], columns = drawn.sizes[column];
  drawn.offset = build.pick().between(-rows, columns);
  for (std::size_t i = 0; i < rank; ++i) {
    if (i != row && i != column) drawn.taken.push_back(drawn.sizes[i]);
  }
  const std::int64_t length = drawn.offset < 0 ? std::min(rows + drawn.offset, columns) : std::min(rows, columns - drawn.offset);
  drawn.taken.push_back(std::max<std::int64_t>(length, 0));
  return drawn;
}

}  // namespace

Recipe flip(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const Sizes dims = some_dimensions(build, sizes.size());
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    call_and_return(build, form, arguments(self, list(dims)), {sizes, build.dtype()});
  };
}

Recipe roll() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const Sizes dims = build.pick().chance(30) ? Sizes{} : some_dimensions(build, sizes.size());
    Sizes shifts(std::max<std::size_t>(dims.size(), 1));
    for (std::int64_t& shift : shifts) {
      shift = build.pick().between(-70, 70);
    }
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, list(shifts), list(dims))));
  };
}

Recipe rot90() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes(2);
    const auto [first, second] = two_dimensions(build, sizes.size());
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, build.pick().between(-5, 5), list({first, second}))));
  };
}

Recipe repeat() {
  return [](DraftBuilder& build) {
    const Sizes sizes = draw_sizes(build.pick(), build.edge(), {.max_rank = 3, .budget = build.budget() / 8});
    Sizes repeats(sizes.size() + static_cast<std::size_t>(build.pick().between(0, 1)));
    std::int64_t room = 16;
    for (std::int64_t& times : repeats) {
      times = build.pick().chance(5) ? 0 : build.pick().between(1, std::min<std::int64_t>(room, 4));
      room /= std::max<std::int64_t>(times, 1);
    }
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, list(repeats))));
  };
}

Recipe triangle(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes(2);
    const std::int64_t rows = sizes[sizes.size() - 2], columns = sizes.back();
    const ValueRef self = self_operand(build, form, sizes, markers(build.dtype()));
    call_and_return(build, form, arguments(self, build.pick().between(-rows - 1, columns + 1)), {sizes, build.dtype()});
    if (form == Form::functional) return;
    // Torch 2.13 writes beyond an out tensor whose batch dimensions do not lie one after the other.
    made_contiguous(build, form == Form::out ? ValueRef{.node = -1, .index = 1} : self, {LayoutKind::channels_last});
  };
}

Recipe stack(Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = draw_sizes(build.pick(), build.edge(), {.budget = build.budget() / 2});
    const std::int64_t dim = dimension(build, sizes.size() + 1);
    const std::int64_t count = build.pick().between(1, 3);
    ArgumentList tensors;
    for (std::int64_t i = 0; i < count; ++i) {
      tensors.push_back(argument(build.input(sizes, markers(build.dtype()))));
    }
    Sizes result = sizes;
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(position_of(dim, sizes.size() + 1)), count);
    call_and_return(build, form, arguments(tensors, dim), {result, build.dtype()});
  };
}

Recipe block_diag() {
  return [](DraftBuilder& build) {
    ArgumentList tensors;
    for (std::int64_t i = build.pick().between(1, 3); i > 0; --i) {
      const Sizes sizes = draw_sizes(build.pick(), build.edge(), {.max_rank = 2, .budget = 64});
      tensors.push_back(argument(build.input(sizes, markers(build.dtype()))));
    }
    build.returns(build.call(arguments(tensors)));
  };
}

// Tensors whose dimensions before `dim` agree; no empty ones.
Recipe chunk_cat() {
  return [](DraftBuilder& build) {
    const Sizes sizes = draw_sizes(build.pick(), without_empty(build), {.min_rank = 1, .budget = build.budget() / 4});
    const std::int64_t dim = build.pick().below(static_cast<std::int64_t>(sizes.size()));
    ArgumentList tensors;
    for (std::int64_t count = build.pick().between(1, 3); count > 0; --count) {
      Sizes one = sizes;
      for (std::size_t i = static_cast<std::size_t>(dim); i < one.size(); ++i) {
        one[i] = build.pick().between(1, std::min<std::int64_t>(one[i] + 1, 12));
      }
      tensors.push_back(argument(build.input(one, markers(build.dtype()))));
    }
    build.returns(build.call(arguments(tensors, dim, build.pick().between(1, 5))));
  };
}

Recipe pixel_shuffle() {
  return [](DraftBuilder& build) {
    const std::int64_t factor = build.pick().between(1, 3);
    const ValueRef self = shuffled(build, image(build, factor * factor));
    build.returns(build.call(arguments(self, factor)));
  };
}

Recipe pixel_unshuffle() {
  return [](DraftBuilder& build) {
    const std::int64_t factor = build.pick().between(1, 3);
    Sizes sizes = image(build, 1);
    sizes[sizes.size() - 2] *= factor;
    sizes[sizes.size() - 1] *= factor;
    const ValueRef self = shuffled(build, sizes);
    build.returns(build.call(arguments(self, factor)));
  };
}

Recipe channel_shuffle() {
  return [](DraftBuilder& build) {
    const std::int64_t groups = build.pick().between(2, 4);

    Sizes sizes = draw_sizes(build.pick(), without_empty(build), {.min_rank = 3, .max_rank = 4, .budget = build.budget() / 4});
    sizes[1] = groups * (sizes[1] + 1);  // of one group, and of groups of one channel, the CPU returns a view
    const ValueRef self = shuffled(build, sizes);
    build.returns(build.call(arguments(self, groups)));
  };
}

Recipe diag_embed() {
  return [](DraftBuilder& build) {
    const Sizes sizes = draw_sizes(build.pick(), build.edge(), {.min_rank = 1, .max_rank = 3, .budget = 129});
    const auto [first, second] = two_dimensions(build, sizes.size() + 1);
    const ValueRef self = build.input(sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, build.pick().between(-3, 3), first, second)));
  };
}

Recipe select_scatter() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build, 1, Empty::never);
    Sizes taken = in.sizes;
    taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(in.at));
    const ValueRef self = build.input(in.sizes, markers(build.dtype()));
    const ValueRef source = build.input(taken, markers(build.dtype()));
    build.returns(build.call(arguments(self, source, in.dim, build.pick().between(-in.size, in.size - 1))));
  };
}

Recipe slice_scatter() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build, 1);
    Range range = draw_range(build, in.size);
    const bool from_start = build.pick().chance(20), to_end = build.pick().chance(30);
    range.start = from_start ? 0 : range.start;
    range.end = to_end ? in.size : range.end;
    const Sizes taken = in.resized(range.length(in.size));
    const ValueRef self = build.input(in.sizes, markers(build.dtype()));
    const ValueRef source = build.input(taken, markers(build.dtype()));
    const Argument from = from_start ? none() : argument(range.start);
    build.returns(build.call(arguments(self, source, in.dim, from, to_end ? none() : argument(range.end), range.step)));
  };
}

Recipe diagonal_scatter() {
  return [](DraftBuilder& build) {
    const Diagonal drawn = draw_diagonal(build);
    const ValueRef self = build.input(drawn.sizes, markers(build.dtype()));
    const ValueRef source = build.input(drawn.taken, markers(build.dtype()));
    build.returns(build.call(arguments(self, source, drawn.offset, drawn.first, drawn.second)));
  };
}

Recipe as_strided_scatter() {
  return [](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const StridedWindow window = draw_window(build, element_count(sizes), Overlap::never);
    const ValueRef self = contiguous_input(build, sizes, markers(build.dtype()));
    const ValueRef source = build.input(window.sizes, markers(build.dtype()));
    build.returns(build.call(arguments(self, source, list(window.sizes), list(window.strides), window.offset)));
  };
}

Recipe select_backward() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build, 1, Empty::never);
    Sizes taken = in.sizes;
    taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(in.at));
    const ValueRef grad = build.input(taken, markers(build.dtype()));
    build.returns(build.call(arguments(grad, list(in.sizes), in.dim, build.pick().between(-in.size, in.size - 1))));
  };
}

Recipe slice_backward() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build, 1);
    const Range range = draw_range(build, in.size);
    const Sizes taken = in.resized(range.length(in.size));
    const ValueRef grad = build.input(taken, markers(build.dtype()));
    build.returns(build.call(arguments(grad, list(in.sizes), in.dim, range.start, range.end, range.step)));
  };
}

Recipe diagonal_backward() {
  return [](DraftBuilder& build) {
    const Diagonal drawn = draw_diagonal(build);
    const ValueRef grad = build.input(drawn.taken, markers(build.dtype()));
    build.returns(build.call(arguments(grad, list(drawn.sizes), drawn.offset, drawn.first, drawn.second)));
  };
}

Recipe unfold_backward() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build, 1);
    const std::int64_t size = build.pick().between(std::min<std::int64_t>(in.size, 1), std::min<std::int64_t>(in.size, 5));
    const std::int64_t step = build.pick().between(1, 4);
    Sizes windows = in.resized((in.size - size) / step + 1);
    windows.push_back(size);
    const ValueRef grad = build.input(windows, terms(build.dtype(), (size + step - 1) / step));
    build.returns(build.call(arguments(grad, list(in.sizes), in.dim, size, step)));
  };
}

Recipe value_selecting_backward() {
  return [](DraftBuilder& build) {
    const Along in = draw_along(build, 1, Empty::never);
    const bool kept = build.pick().chance(50);
    Sizes reduced = in.resized(1);
    if (!kept) reduced.erase(reduced.begin() + static_cast<std::ptrdiff_t>(in.at));
    const ValueRef grad = build.input(reduced, markers(build.dtype()));
    const ValueRef chosen = build.input(Dtype::int64, reduced, indices(in.size));
    build.returns(build.call(arguments(grad, in.dim, chosen, list(in.sizes), kept)));
  };
}

Recipe repeat_interleave() {
  return [](DraftBuilder& build) {
    const Sizes sizes = {build.edge() == Edge::empty ? 0 : build.edge() == Edge::scalar ? 1 : boundary_size(build.pick(), 129)};
    build.returns(build.call(arguments(build.input(sizes, {between(0, 4)}))));
  };
}

Recipe one_hot() {
  return [](DraftBuilder& build) {
    const std::int64_t classes = boundary_size(build.pick(), 33);
    const Sizes sizes = draw_sizes(build.pick(), build.edge(), {.max_rank = 3, .budget = 129});
    build.returns(build.call(arguments(build.input(sizes, indices(classes)), classes)));
  };
}

}  // namespace neuroncheck::generators
