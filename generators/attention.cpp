#include "generators/attention.h"

namespace neuroncheck::generators {
namespace {

struct AttentionSizes {
  Sizes query, key, value, output, logsumexp, mask;
};

AttentionSizes draw_attention(DraftBuilder& build) {
  Picker& pick = build.pick();
  const bool edge = build.edge() == Edge::scalar;
  const std::int64_t batch = edge ? 1 : pick.between(1, 2), heads = edge ? 1 : pick.between(1, 3);
  const std::int64_t queries = edge ? 1 : boundary_size(pick, 33), keys = edge ? 1 : boundary_size(pick, 66);
  const std::int64_t width = edge ? 1 : boundary_size(pick, 17);
  return {{batch, heads, queries, width}, {batch, heads, keys, width}, {batch, heads, keys, width},
          {batch, heads, queries, width}, {batch, heads, queries},     {queries, keys}};
}

Fills activations() { return {fill_of(FillKind::normal), between(-2, 2), counted(FillKind::exact_integer, 1)}; }

// The logarithm of what a handful of scores add up to.
Fills logarithms() { return {between(0, 6), constant(3)}; }

struct Settings {
  bool causal;
  Argument mask, scale;
};

Settings draw_settings(DraftBuilder& build, const AttentionSizes& sizes) {
  const bool causal = build.pick().chance(40);
  Settings settings{causal, none(), build.pick().chance(50) ? none() : argument(build.pick().one_of({0.5, 1.0, 0.3}))};
  if (causal || build.pick().chance(50)) return settings;
  settings.mask = argument(made_contiguous(build, build.written(build.dtype(), sizes.mask, activations())));
  return settings;
}

}  // namespace

Recipe attention() {
  return [](DraftBuilder& build) {
    const AttentionSizes sizes = draw_attention(build);
    const ValueRef query = contiguous_input(build, sizes.query, activations());
    const ValueRef key = contiguous_input(build, sizes.key, activations());
    const ValueRef value = contiguous_input(build, sizes.value, activations());
    const auto [causal, mask, scale] = draw_settings(build, sizes);
    build.returns(build.call(arguments(query, key, value, 0.0, causal, mask, scale)), 2);
  };
}

Recipe attention_backward() {
  return [](DraftBuilder& build) {
    const AttentionSizes sizes = draw_attention(build);
    const ValueRef grad = contiguous_input(build, sizes.output, activations());
    const ValueRef query = contiguous_input(build, sizes.query, activations());
    const ValueRef key = contiguous_input(build, sizes.key, activations());
    const ValueRef value = contiguous_input(build, sizes.value, activations());
    const ValueRef output = contiguous_input(build, sizes.output, activations());
    const Dtype wide = build.dtype() == Dtype::float64 ? Dtype::float64 : Dtype::float32;
    const ValueRef logsumexp = made_contiguous(build, build.input(wide, sizes.logsumexp, logarithms()));
    const auto [causal, mask, scale] = draw_settings(build, sizes);
    build.returns(build.call(arguments(grad, query, key, value, output, logsumexp, 0.0, causal, mask, scale)), 3);
  };
}

}  // namespace neuroncheck::generators
