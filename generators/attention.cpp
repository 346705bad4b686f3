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

Fills activations() {
  return {{.kind = FillKind::normal, .bits = {}},
          {.kind = FillKind::uniform, .low = -2, .high = 2, .bits = {}},
          {.kind = FillKind::exact_integer, .parameter = 1, .bits = {}}};
}

// The logarithm of what a handful of scores add up to.
Fills logarithms() { return {{.kind = FillKind::uniform, .low = 0, .high = 6, .bits = {}}, constant(3)}; }

ValueRef contiguous(DraftBuilder& build, Dtype dtype, const Sizes& sizes, Fills fills) {
  const ValueRef made = build.input(dtype, sizes, std::move(fills));
  build.spec(made).layout = LayoutKind::contiguous;
  return made;
}

struct Settings {
  bool causal;
  Argument mask, scale;
};

Settings draw_settings(DraftBuilder& build, const AttentionSizes& sizes) {
  const bool causal = build.pick().chance(40);
  Settings settings{causal, none(), build.pick().chance(50) ? none() : argument(build.pick().one_of({0.5, 1.0, 0.3}))};
  if (causal || build.pick().chance(50)) return settings;
  const ValueRef mask = build.written(build.dtype(), sizes.mask, activations());
  build.spec(mask).layout = LayoutKind::contiguous;
  settings.mask = argument(mask);
  return settings;
}

}  // namespace

Recipe attention() {
  return [](DraftBuilder& build) {
    const AttentionSizes sizes = draw_attention(build);
    const ValueRef query = contiguous(build, build.dtype(), sizes.query, activations());
    const ValueRef key = contiguous(build, build.dtype(), sizes.key, activations());
    const ValueRef value = contiguous(build, build.dtype(), sizes.value, activations());
    const auto [causal, mask, scale] = draw_settings(build, sizes);
    build.returns(build.call(arguments(query, key, value, 0.0, causal, mask, scale)), 2);
  };
}

Recipe attention_backward() {
  return [](DraftBuilder& build) {
    const AttentionSizes sizes = draw_attention(build);
    const ValueRef grad = contiguous(build, build.dtype(), sizes.output, activations());
    const ValueRef query = contiguous(build, build.dtype(), sizes.query, activations());
    const ValueRef key = contiguous(build, build.dtype(), sizes.key, activations());
    const ValueRef value = contiguous(build, build.dtype(), sizes.value, activations());
    const ValueRef output = contiguous(build, build.dtype(), sizes.output, activations());
    const Dtype wide = build.dtype() == Dtype::float64 ? Dtype::float64 : Dtype::float32;
    const ValueRef logsumexp = contiguous(build, wide, sizes.logsumexp, logarithms());
    const auto [causal, mask, scale] = draw_settings(build, sizes);
    build.returns(build.call(arguments(grad, query, key, value, output, logsumexp, 0.0, causal, mask, scale)), 3);
  };
}

}  // namespace neuroncheck::generators
