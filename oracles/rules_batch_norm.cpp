// Normalisations over channels and groups: rows of the formulas in row_formulas, gathered from images.
#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "oracles/norm_rules.h"
#include "oracles/row_formulas.h"
#include "oracles/row_parts.h"

namespace neuroncheck::oracles {
namespace {

using Pairs = std::vector<Pair>;

// (batch, channels, positions) of an image.
struct Image {
  explicit Image(const at::Tensor& input)
      : batch(static_cast<std::size_t>(input.size(0))), channels(static_cast<std::size_t>(input.size(1))), positions(1) {
    for (std::int64_t d = 2; d < input.dim(); ++d) positions *= static_cast<std::size_t>(input.size(d));
  }
  std::size_t at(std::size_t n, std::size_t c, std::size_t i) const { return (n * channels + c) * positions + i; }

  // What belongs to one channel.
  Pairs channel(const Pairs& all, std::size_t c) const {
    Pairs row;
    for (std::size_t n = 0; n < batch; ++n) row.insert(row.end(), all.begin() + offset(n, c), all.begin() + offset(n, c) + width());
    return row;
  }
  void put_channel(Pairs& all, std::size_t c, const Pairs& row) const {
    for (std::size_t n = 0; n < batch; ++n)
      std::copy_n(row.begin() + static_cast<std::ptrdiff_t>(n * positions), width(), all.begin() + offset(n, c));
  }

  std::size_t batch, channels, positions;

 private:
  std::ptrdiff_t offset(std::size_t n, std::size_t c) const { return static_cast<std::ptrdiff_t>(at(n, c, 0)); }
  std::ptrdiff_t width() const { return static_cast<std::ptrdiff_t>(positions); }
};

const Step& step_of(const Call& call, const at::Tensor& input) { return call.context().precision(input.scalar_type()).step; }

// Copies of a channel's parameter, one an element; none where the call has none.
Pairs repeated(const Pairs& parameter, std::size_t c, std::size_t count) { return parameter.empty() ? Pairs() : Pairs(count, parameter[c]); }

// A running statistic is written as in-place ops write, though the schema of native_batch_norm does not say so.
void update(const at::Tensor& running, const Pairs& values, Context& context) {
  PairTensor result = from_pairs(values, running.sizes(), running.scalar_type());
  if (context.profile().demotes_float64 && result.shown == at::kDouble) {
    result = consumed(result, at::kDouble, context);
    result.representable = result.narrowed = true;
  }
  write_through(running, result);
  context.note_written(running);
}

// momentum * now + (1 - momentum) * before
Pair moved(Pair now, Pair before, double momentum, const Step& step) {
  const Pair share{momentum, momentum * step.unit}, rest{1.0 - momentum, 2.0 * step.unit};
  const bool exact = momentum == 0.0 || momentum == 1.0 || momentum == 0.5;
  const Pair a = exact ? Pair{momentum, 0.0} : share, b = exact ? Pair{1.0 - momentum, 0.0} : rest;
  return add(multiply(a, now, step), multiply(b, before, step), step);
}

struct BatchNormCall {
  double momentum, epsilon;
  bool training;
};

BatchNormCall read(const Call& call) {
  const c10::IValue* training = call.named("training");
  const bool updates = call.name() == "aten::_batch_norm_with_update";
  return {call.named("momentum")->toDouble(), call.named("eps")->toDouble(), training == nullptr ? updates : training->toBool()};
}

struct Updated {
  Pairs mean, variance;
};

std::vector<PairTensor> results_of(const Call& call, const Pairs& output, const std::array<Pairs, 2>& saved) {
  const at::Tensor input = call.tensor(0);
  const auto kept = static_cast<std::int64_t>(saved[0].size());
  const at::ScalarType statistics = call.tensor(1).defined() ? call.tensor(1).scalar_type() : input.scalar_type();
  std::vector<PairTensor> results = {from_pairs(output, input.sizes(), input.scalar_type()), from_pairs(saved[0], {kept}, statistics),
                                     from_pairs(saved[1], {kept}, statistics)};
  if (call.name() == "aten::_batch_norm_with_update") results.push_back({at::empty({0}, at::kByte), {}, at::kByte, true, true, nullptr});
  return results;
}

// (input, weight, bias, running_mean, running_var, training, momentum, eps) -> (output, save_mean, save_invstd)
std::vector<PairTensor> run_batch_norm(const Call& call) {
  const at::Tensor input = call.tensor(0);
  const Image image(input);
  const BatchNormCall settings = read(call);
  const Step& step = step_of(call, input);
  const bool has_running = call.index_of("running_mean") >= 0 && call.tensor(3).defined();
  const Pairs x = consumed_pairs(call, 0), weight = consumed_pairs(call, 1), bias = consumed_pairs(call, 2);
  const Pairs running_mean = has_running ? consumed_pairs(call, 3) : Pairs(), running_variance = has_running ? consumed_pairs(call, 4) : Pairs();
  Pairs output(x.size());
  std::array<Pairs, 2> saved;
  Updated updated;
  for (std::size_t c = 0; c < image.channels; ++c) {
    const Pairs row = image.channel(x, c), w = repeated(weight, c, row.size()), b = repeated(bias, c, row.size());
    const Affine affine{w, b, settings.epsilon};
    if (!settings.training) {
      const Pair rstd = reciprocal_deviation(running_variance[c], settings.epsilon, step);
      image.put_channel(output, c, affine_row(row, {running_mean[c], rstd}, affine, step));
      continue;
    }
    const NormalisedRow normal = layer_norm_row(row, affine, step);
    image.put_channel(output, c, normal.output);
    saved[0].push_back(normal.mean);
    saved[1].push_back(normal.rstd);
    if (!has_running) continue;
    updated.mean.push_back(moved(normal.mean, running_mean[c], settings.momentum, step));
    updated.variance.push_back(moved(variance_row(row, 1.0, step).variance, running_variance[c], settings.momentum, step));
  }
  if (has_running && settings.training) {
    update(call.tensor(3), updated.mean, call.context());
    update(call.tensor(4), updated.variance, call.context());
  }
  return results_of(call, output, saved);
}

// r sum(g (x - m)), also r (sum(g x) - m sum(g)): the larger bound holds for both.
Pair scale_gradient(std::span<const Pair> grad, std::span<const Pair> x, const SavedNorm& saved, const Step& step) {
  Pairs direct, normal, plain;
  for (std::size_t i = 0; i < x.size(); ++i) {
    direct.push_back(multiply(grad[i], subtract(x[i], saved.mean, step), step));
    normal.push_back(multiply(grad[i], normalised(x[i], saved.mean, saved.rstd, step), step));
    plain.push_back(multiply(grad[i], x[i], step));
  }
  const Pair first = multiply(sum(direct, step), saved.rstd, step), second = sum(normal, step);
  const Pair folded = multiply(subtract(sum(plain, step), multiply(saved.mean, sum(grad, step), step), step), saved.rstd, step);
  return settle(first.value, std::max({first.bound, second.bound, folded.bound}), first.bound);
}

struct Gradients {
  Pairs input, weight, bias;
};

std::vector<PairTensor> masked(const Call& call, const Gradients& gradients, std::size_t mask_position) {
  const at::Tensor input = call.tensor(1);
  const auto channels = static_cast<std::int64_t>(gradients.bias.size());
  const auto mask = call.argument(mask_position).toBoolList();
  std::vector<PairTensor> results(3);
  if (mask.get(0)) results[0] = from_pairs(gradients.input, input.sizes(), input.scalar_type());
  if (mask.get(1)) results[1] = from_pairs(gradients.weight, {channels}, input.scalar_type());
  if (mask.get(2)) results[2] = from_pairs(gradients.bias, {channels}, input.scalar_type());
  return results;
}

Pairs scaled(const Pairs& grad, const SavedNorm& saved, const Step& step) {
  Pairs result;
  for (std::size_t i = 0; i < grad.size(); ++i) {
    const Pair weight = saved.weight.empty() ? Pair{1.0, 0.0} : saved.weight[i];
    result.push_back(multiply(grad[i], multiply(saved.rstd, weight, step), step));
  }
  return result;
}

// (grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask, ...)
std::vector<PairTensor> run_batch_norm_backward(const Call& call) {
  const Image image(call.tensor(1));
  const Step& step = step_of(call, call.tensor(1));
  const bool training = call.argument(7).toBool();
  const Pairs grad = consumed_pairs(call, 0), x = consumed_pairs(call, 1), weight = consumed_pairs(call, 2);
  const Pairs mean = consumed_pairs(call, training ? 5 : 3), scale = consumed_pairs(call, training ? 6 : 4);
  Gradients gradients{Pairs(x.size()), {}, {}};
  for (std::size_t c = 0; c < image.channels; ++c) {
    const Pairs g = image.channel(grad, c), row = image.channel(x, c), w = repeated(weight, c, row.size());
    const Pair rstd = training ? scale[c] : reciprocal_deviation(scale[c], call.argument(8).toDouble(), step);
    const SavedNorm saved{w, mean[c], rstd};
    Pairs moved_back = training ? layer_norm_backward_row(g, row, saved, step) : scaled(g, saved, step);
    // The weight may be multiplied last.
    for (Pair& value : moved_back) value.bound += 2.0 * step.unit * (std::abs(value.value) + value.bound);
    image.put_channel(gradients.input, c, moved_back);
    gradients.weight.push_back(scale_gradient(g, row, saved, step));
    gradients.bias.push_back(sum(g, step));
  }
  return masked(call, gradients, 9);
}

struct GroupShape {
  GroupShape(const Call& call, std::size_t first)
      : batch(static_cast<std::size_t>(call.argument(first).toInt())),
        channels(static_cast<std::size_t>(call.argument(first + 1).toInt())),
        positions(static_cast<std::size_t>(call.argument(first + 2).toInt())),
        groups(static_cast<std::size_t>(call.argument(first + 3).toInt())),
        length(channels / groups * positions) {}

  std::size_t channel(std::size_t group, std::size_t i) const { return group * (channels / groups) + i / positions; }
  // The channels' parameters, one an element of a group.
  Pairs spread(const Pairs& parameter, std::size_t group) const {
    Pairs result;
    for (std::size_t i = 0; i < length && !parameter.empty(); ++i) result.push_back(parameter[channel(group, i)]);
    return result;
  }

  std::size_t batch, channels, positions, groups, length;
};

// (input, weight, bias, N, C, HxW, group, eps) -> (output, mean, rstd)
std::vector<PairTensor> run_group_norm(const Call& call) {
  const at::Tensor input = call.tensor(0);
  const GroupShape shape(call, 3);
  const Step& step = step_of(call, input);
  const Pairs x = consumed_pairs(call, 0), weight = consumed_pairs(call, 1), bias = consumed_pairs(call, 2);
  Pairs output, means, rstds;
  for (std::size_t r = 0; r < shape.batch * shape.groups; ++r) {
    const Pairs w = shape.spread(weight, r % shape.groups), b = shape.spread(bias, r % shape.groups);
    const NormalisedRow row = layer_norm_row(slice_of(x, r, shape.length), {w, b, call.argument(7).toDouble()}, step);
    output.insert(output.end(), row.output.begin(), row.output.end());
    means.push_back(row.mean);
    rstds.push_back(row.rstd);
  }
  const std::vector<std::int64_t> statistics = {call.argument(3).toInt(), call.argument(6).toInt()};
  const at::ScalarType shown = call.tensor(1).defined() ? call.tensor(1).scalar_type() : input.scalar_type();
  return {from_pairs(output, input.sizes(), input.scalar_type()), from_pairs(means, statistics, shown), from_pairs(rstds, statistics, shown)};
}

// What a channel's gradients are sums of: whole images' shares, or terms of all images in any order.
struct ChannelTerms {
  Pairs shares, terms, grads;

  void add(std::span<const Pair> grad, std::span<const Pair> x, const SavedNorm& saved, const Step& step) {
    shares.push_back(scale_gradient(grad, x, saved, step));
    grads.insert(grads.end(), grad.begin(), grad.end());
    for (std::size_t i = 0; i < x.size(); ++i) terms.push_back(multiply(grad[i], normalised(x[i], saved.mean, saved.rstd, step), step));
  }
  Pair weight(const Step& step) const {
    const Pair nested = sum(shares, step);
    return settle(nested.value, std::max(nested.bound, sum(terms, step).bound), nested.bound);
  }
};

// (grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask)
std::vector<PairTensor> run_group_norm_backward(const Call& call) {
  const GroupShape shape(call, 5);
  const Step& step = step_of(call, call.tensor(1));
  const Pairs grad = consumed_pairs(call, 0), x = consumed_pairs(call, 1), mean = consumed_pairs(call, 2), rstd = consumed_pairs(call, 3);
  const Pairs weight = consumed_pairs(call, 4);
  Pairs grad_input;
  std::vector<ChannelTerms> channels(shape.channels);
  for (std::size_t r = 0; r < shape.batch * shape.groups; ++r) {
    const std::size_t group = r % shape.groups;
    const Pairs w = shape.spread(weight, group);
    const SavedNorm saved{w, mean[r], rstd[r]};
    const auto g = slice_of(grad, r, shape.length), row = slice_of(x, r, shape.length);
    const Pairs values = layer_norm_backward_row(g, row, saved, step);
    grad_input.insert(grad_input.end(), values.begin(), values.end());
    for (std::size_t first = 0; first < shape.length; first += shape.positions) {
      channels[shape.channel(group, first)].add(g.subspan(first, shape.positions), row.subspan(first, shape.positions), saved, step);
    }
  }
  Gradients gradients{std::move(grad_input), {}, {}};
  for (const ChannelTerms& channel : channels) {
    gradients.weight.push_back(channel.weight(step));
    gradients.bias.push_back(sum(channel.grads, step));
  }
  return masked(call, gradients, 9);
}

}  // namespace

Rule batch_norm() { return run_batch_norm; }
Rule batch_norm_backward() { return run_batch_norm_backward; }
Rule group_norm() { return run_group_norm; }
Rule group_norm_backward() { return run_group_norm_backward; }

}  // namespace neuroncheck::oracles
