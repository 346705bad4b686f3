#include "generators/normalisation.h"

#include <span>

namespace neuroncheck::generators {
namespace {

// What is normalised: rows around zero, off zero, of exact integers, and of few values.
Fills spread() { return {fill_of(FillKind::normal), between(-4, 12), counted(FillKind::exact_integer, 3), counted(FillKind::repeated, 2)}; }

// Variances, and reciprocals of deviations.
Fills scales() { return {ranged(FillKind::positive, -2, 2), constant(1), constant(0.5)}; }

double epsilon(DraftBuilder& build) { return build.pick().one_of({1e-5, 1e-3, 1e-6}); }

Argument optional_input(DraftBuilder& build, const Sizes& sizes) { return build.pick().chance(75) ? argument(build.input(sizes, spread())) : none(); }

// Which gradients are asked for: the first ones, since outputs that are not made cannot be returned; none of a parameter that is missing.
int wanted_gradients(DraftBuilder& build, int most = 3) { return build.pick().chance(60) ? most : static_cast<int>(build.pick().between(1, most)); }

bool is_given(const Argument& argument) { return !std::holds_alternative<None>(argument.value); }

Argument mask_of(int wanted) {
  ArgumentList mask;
  for (int i = 0; i < 3; ++i) mask.push_back(argument(i < wanted));
  return {std::move(mask)};
}

struct Normalised {
  Sizes normalized, sizes, statistics;
};

// One to two normalised dimensions, never empty: the mean of nothing is not defined.
Normalised draw_normalised(DraftBuilder& build) {
  Normalised drawn;
  drawn.normalized = draw_sizes(build.pick(), Edge::none, {.min_rank = 1, .max_rank = 2, .budget = 513});
  const Sizes outer = draw_sizes(build.pick(), build.edge(), {.min_rank = build.edge() == Edge::scalar ? 0 : 1, .max_rank = 2, .budget = 16});
  drawn.sizes = joined(outer, drawn.normalized);
  drawn.statistics = joined(outer, Sizes(drawn.normalized.size(), 1));
  return drawn;
}

void push_outs(DraftBuilder& build, ArgumentList& arguments, const std::vector<Sizes>& sizes) {
  for (const Sizes& one : sizes) arguments.push_back(argument(build.written(build.dtype(), one, markers(build.dtype()))));
}

struct Channels {
  std::int64_t batch = 1, channels = 1;
  Sizes sizes;
  Sizes per_channel() const { return {channels}; }
  std::int64_t positions() const { return element_count(std::span(sizes).subspan(2)); }
};

// A batch of images of rank 0 to 2; at least two elements a channel.
Channels draw_channels(DraftBuilder& build, std::int64_t groups) {
  const bool edge = build.edge() == Edge::scalar;
  Channels drawn;
  drawn.batch = edge ? 2 : boundary_size(build.pick(), 17) + 1;
  drawn.channels = groups * (edge ? 1 : boundary_size(build.pick(), 18));
  drawn.sizes = {drawn.batch, drawn.channels};
  if (edge) return drawn;
  const Sizes image = draw_sizes(build.pick(), Edge::none, {.min_rank = 1, .max_rank = 2, .budget = 129});
  if (build.pick().chance(85)) drawn.sizes = joined(drawn.sizes, image);
  return drawn;
}

double momentum(DraftBuilder& build) { return build.pick().one_of({0.1, 0.5, 0.0, 1.0}); }

struct Groups {
  Channels drawn;
  std::int64_t groups;
};

Groups draw_groups(DraftBuilder& build) {
  const std::int64_t groups = build.pick().one_of<std::int64_t>({1, 2, 3, 4});
  Channels drawn = draw_channels(build, groups);
  if (build.edge() == Edge::empty) drawn.sizes[0] = drawn.batch = 0;
  return {drawn, groups};
}

}  // namespace

Fills shares(Dtype /*dtype*/) { return {fill_of(FillKind::probability), ranged(FillKind::positive, -12, 0), constant(0.0625)}; }

Fills log_shares(Dtype /*dtype*/) { return {between(-8, 0), constant(-2)}; }

Recipe softmax_backward(FillsOf outputs, Form form) {
  return [=](DraftBuilder& build) {
    const Sizes sizes = build.sizes();
    const ValueRef grad = build.input(sizes, terms(build.dtype(), build.budget()));
    const ValueRef output = build.input(sizes, outputs(build.dtype()));
    ArgumentList call = arguments(grad, output, dimension(build, sizes.size()), build.dtype());
    if (form == Form::out) {
      // torch 2.13's CPU kernels write any other out= as if it were contiguous.
      call.push_back(argument(made_contiguous(build, build.written(build.dtype(), sizes, markers(build.dtype())))));
    }
    build.returns(build.call(std::move(call)));
  };
}

Recipe layer_norm(Form form) {
  return [=](DraftBuilder& build) {
    const auto [normalized, sizes, statistics] = draw_normalised(build);
    const ValueRef input = build.input(sizes, spread());
    const Argument weight = optional_input(build, normalized), bias = optional_input(build, normalized);
    ArgumentList call = arguments(input, list(normalized), weight, bias, epsilon(build));
    if (form == Form::out) push_outs(build, call, {sizes, statistics, statistics});
    build.returns(build.call(std::move(call)), 3);
  };
}

Recipe layer_norm_backward(Form form) {
  return [=](DraftBuilder& build) {
    const auto [normalized, sizes, statistics] = draw_normalised(build);
    const ValueRef grad = build.input(sizes, spread()), input = build.input(sizes, spread());
    const ValueRef mean = contiguous_input(build, statistics, spread()), rstd = contiguous_input(build, statistics, scales());
    const bool all = form == Form::out;
    const Argument weight = all ? argument(build.input(normalized, spread())) : optional_input(build, normalized);
    const Argument bias = all ? argument(build.input(normalized, spread())) : optional_input(build, normalized);
    const int most = !is_given(weight) ? 1 : !is_given(bias) ? 2 : 3;
    const int wanted = all ? 3 : wanted_gradients(build, most);
    ArgumentList call = arguments(grad, input, list(normalized), mean, rstd, weight, bias, mask_of(wanted));
    if (form == Form::out) push_outs(build, call, {sizes, normalized, normalized});
    build.returns(build.call(std::move(call)), wanted);
  };
}

Recipe rms_norm() {
  return [](DraftBuilder& build) {
    const auto [normalized, sizes, statistics] = draw_normalised(build);
    const ValueRef input = build.input(sizes, spread());
    const Argument weight = optional_input(build, normalized);
    build.returns(build.call(arguments(input, list(normalized), weight, build.pick().chance(75) ? argument(epsilon(build)) : none())), 2);
  };
}

Recipe batch_norm(RunningStatistics statistics) {
  return [=](DraftBuilder& build) {
    const Channels drawn = draw_channels(build, 1);
    const ValueRef input = build.input(drawn.sizes, spread());
    const Argument weight = optional_input(build, drawn.per_channel()), bias = optional_input(build, drawn.per_channel());
    ArgumentList call = arguments(input, weight, bias);
    const bool reads = statistics != RunningStatistics::none && (statistics != RunningStatistics::optional || build.pick().chance(75));
    if (reads) {
      call.push_back(argument(build.written(build.dtype(), drawn.per_channel(), spread())));
      call.push_back(argument(build.written(build.dtype(), drawn.per_channel(), scales())));
    } else if (statistics == RunningStatistics::optional) {
      call.insert(call.end(), 2, none());
    }
    const bool chooses = statistics != RunningStatistics::updated && statistics != RunningStatistics::read;
    // native_batch_norm's schema hides that training writes the running statistics: a fallback to the CPU loses what it wrote.
    const bool hidden = statistics == RunningStatistics::optional;
    if (chooses) call.push_back(argument(!reads || (!hidden && build.pick().chance(60))));
    call.push_back(argument(momentum(build)));
    call.push_back(argument(epsilon(build)));
    build.returns(build.call(std::move(call)), 3);
  };
}

Recipe batch_norm_backward(Reserve reserve) {
  return [=](DraftBuilder& build) {
    const Channels drawn = draw_channels(build, 1);
    const Sizes channel = drawn.per_channel();
    const Fills choices = spread();
    const ValueRef grad = build.input(drawn.sizes, choices), input = build.input(drawn.sizes, choices);
    const Argument weight = reserve == Reserve::empty ? argument(build.input(channel, choices)) : optional_input(build, channel);
    const ValueRef running_mean = build.input(channel, choices), running_variance = build.input(channel, scales());
    const ValueRef mean = build.input(channel, choices), rstd = build.input(channel, scales());
    const int wanted = wanted_gradients(build);
    ArgumentList call =
        arguments(grad, input, weight, running_mean, running_variance, mean, rstd, build.pick().chance(60), epsilon(build), mask_of(wanted));
    if (reserve == Reserve::empty) call.push_back(argument(build.written(Dtype::uint8, {0}, {constant(0)})));
    build.returns(build.call(std::move(call)), wanted);
  };
}

Recipe group_norm() {
  return [](DraftBuilder& build) {
    const auto [drawn, groups] = draw_groups(build);
    const ValueRef input = contiguous_input(build, drawn.sizes, spread());
    const Argument weight = optional_input(build, drawn.per_channel()), bias = optional_input(build, drawn.per_channel());
    build.returns(build.call(arguments(input, weight, bias, drawn.batch, drawn.channels, drawn.positions(), groups, epsilon(build))), 3);
  };
}

Recipe group_norm_backward() {
  return [](DraftBuilder& build) {
    const auto [drawn, groups] = draw_groups(build);
    const Fills choices = spread();
    const ValueRef grad = contiguous_input(build, drawn.sizes, choices), input = contiguous_input(build, drawn.sizes, choices);
    const Sizes statistics = {drawn.batch, groups};
    const ValueRef mean = contiguous_input(build, statistics, choices), rstd = contiguous_input(build, statistics, scales());
    const Argument weight = optional_input(build, drawn.per_channel());
    const int wanted = wanted_gradients(build, is_given(weight) ? 3 : 1);
    build.returns(build.call(arguments(grad, input, mean, rstd, weight, drawn.batch, drawn.channels, drawn.positions(), groups, mask_of(wanted))),
                  wanted);
  };
}

}  // namespace neuroncheck::generators
