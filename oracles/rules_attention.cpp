// Attention of the CPU's fused kernels; the formulas are in attention_formulas.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "oracles/attention_formulas.h"
#include "oracles/attention_rules.h"
#include "oracles/row_parts.h"

namespace neuroncheck::oracles {
namespace {

using Pairs = std::vector<Pair>;

// Sizes of (batch and heads as one, queries or keys, width).
struct Heads {
  Heads(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value)
      : heads(size(query, 0) * size(query, 1)), queries(size(query, 2)), keys(size(key, 2)), width(size(query, 3)), value_width(size(value, 3)) {}

  static std::size_t size(const at::Tensor& tensor, std::int64_t dim) { return static_cast<std::size_t>(tensor.size(dim)); }

  std::size_t heads, queries, keys, width, value_width;
};

struct Attention {
  Attention(const Call& call, std::size_t first)
      : heads(call.tensor(first), call.tensor(first + 1), call.tensor(first + 2)),
        query(consumed_pairs(call, first)),
        key(consumed_pairs(call, first + 1)),
        value(consumed_pairs(call, first + 2)),
        causal(call.named("is_causal")->toBool()),
        step(call.context().precision(call.tensor(first).scalar_type()).step) {
    const c10::IValue& given = *call.named("scale");
    scale = given.isNone() ? 1.0 / std::sqrt(static_cast<double>(heads.width)) : given.toDouble();
    // One mask for all heads: (queries, keys).
    mask = consumed_pairs(call, static_cast<std::size_t>(call.index_of("attn_mask")));
  }

  std::span<const Pair> query_row(std::size_t head, std::size_t i) const { return slice_of(query, head * heads.queries + i, heads.width); }
  PairRows keys(std::size_t head) const { return {slice_of(key, head, heads.keys * heads.width), heads.width}; }
  PairRows values(std::size_t head) const { return {slice_of(value, head, heads.keys * heads.value_width), heads.value_width}; }

  Pairs scores(std::size_t head, std::size_t i) const {
    Scoring scoring{scale, {}, causal ? std::min(i + 1, heads.keys) : heads.keys};
    if (!mask.empty()) scoring.mask = slice_of(mask, i, heads.keys);
    return attention_scores(query_row(head, i), keys(head), scoring, step);
  }

  Heads heads;
  Pairs query, key, value, mask;
  bool causal;
  double scale = 1.0;
  Step step;
};

// (query, key, value, dropout_p, is_causal, attn_mask, scale) -> (output, logsumexp)
std::vector<PairTensor> run_attention(const Call& call) {
  const Attention attention(call, 0);
  Pairs output, logsumexps;
  for (std::size_t head = 0; head < attention.heads.heads; ++head) {
    for (std::size_t i = 0; i < attention.heads.queries; ++i) {
      const Attended row = attend(attention.scores(head, i), attention.values(head), attention.step);
      output.insert(output.end(), row.output.begin(), row.output.end());
      logsumexps.push_back(row.logsumexp);
    }
  }
  const at::Tensor query = call.tensor(0);
  std::vector<std::int64_t> sizes = query.sizes().vec();
  const std::vector<std::int64_t> rows(sizes.begin(), sizes.end() - 1);
  sizes.back() = call.tensor(2).size(3);
  const at::ScalarType wide = query.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  return {from_pairs(output, sizes, query.scalar_type()), from_pairs(logsumexps, rows, wide)};
}

// Sums over queries: terms[key * width + c].
void add_terms(std::vector<Pairs>& terms, const Pairs& shares, std::span<const Pair> row, const Step& step) {
  for (std::size_t j = 0; j < shares.size(); ++j) {
    for (std::size_t c = 0; c < row.size(); ++c) terms[j * row.size() + c].push_back(multiply(shares[j], row[c], step));
  }
}

Pairs sums(const std::vector<Pairs>& terms, Pair factor, const Step& step) {
  Pairs result;
  for (const Pairs& one : terms) result.push_back(multiply(factor, sum(one, step), step));
  return result;
}

void append(Pairs& all, const Pairs& more) { all.insert(all.end(), more.begin(), more.end()); }

// (grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask, scale)
std::vector<PairTensor> run_attention_backward(const Call& call) {
  const Attention attention(call, 1);
  const Heads& heads = attention.heads;
  const Step& step = attention.step;
  const Pairs grad = consumed_pairs(call, 0), output = consumed_pairs(call, 4), logsumexp = consumed_pairs(call, 5);
  const Pair one{1.0, 0.0}, scale{attention.scale, std::abs(attention.scale) * step.unit};
  Pairs grad_query, grad_key, grad_value;
  for (std::size_t head = 0; head < heads.heads; ++head) {
    std::vector<Pairs> key_terms(heads.keys * heads.width), value_terms(heads.keys * heads.value_width);
    for (std::size_t i = 0; i < heads.queries; ++i) {
      const std::size_t row = head * heads.queries + i;
      const QueryGradient query{slice_of(grad, row, heads.value_width), slice_of(output, row, heads.value_width), logsumexp[row]};
      const AttentionGradient gradient = attention_gradient(attention.scores(head, i), attention.values(head), query, step);
      add_terms(value_terms, gradient.shares, query.grad, step);
      add_terms(key_terms, gradient.scores, attention.query_row(head, i), step);
      std::vector<Pairs> query_terms(heads.width);
      for (std::size_t j = 0; j < heads.keys; ++j) {
        const auto key = attention.keys(head).row(j);
        for (std::size_t c = 0; c < heads.width; ++c) query_terms[c].push_back(multiply(gradient.scores[j], key[c], step));
      }
      append(grad_query, sums(query_terms, scale, step));
    }
    append(grad_key, sums(key_terms, scale, step));
    append(grad_value, sums(value_terms, one, step));
  }
  const auto like = [&](const Pairs& pairs, std::size_t i) { return from_pairs(pairs, call.tensor(i).sizes(), call.tensor(i).scalar_type()); };
  return {like(grad_query, 1), like(grad_key, 2), like(grad_value, 3)};
}

}  // namespace

Rule attention() { return run_attention; }
Rule attention_backward() { return run_attention_backward; }

}  // namespace neuroncheck::oracles
