// Attention along one row of queries, over pairs; bounds hold for one pass over the keys in blocks as well as for three ops. No torch.
#pragma once

#include <span>
#include <vector>

#include "oracles/pair.h"

namespace neuroncheck::oracles {

// Row-major; `width` elements a row.
struct PairRows {
  std::span<const Pair> all;
  std::size_t width = 0;

  std::size_t count() const { return width == 0 ? 0 : all.size() / width; }
  std::span<const Pair> row(std::size_t i) const { return all.subspan(i * width, width); }
};

// scale * q k, for every key; `mask` is added (empty: none). Infinitely low scores take no part.
struct Scoring {
  double scale = 1.0;
  std::span<const Pair> mask;
  std::size_t keys = 0;  // the first so many are seen
};
std::vector<Pair> attention_scores(std::span<const Pair> query, const PairRows& keys, const Scoring& scoring, const Step& step);

struct Attended {
  std::vector<Pair> output;
  Pair logsumexp;
};
Attended attend(const std::vector<Pair>& scores, const PairRows& values, const Step& step);

// What one query gives to the gradients: shares = exp(score - logsumexp), and the gradients of its scores.
struct AttentionGradient {
  std::vector<Pair> shares, scores;
};
struct QueryGradient {
  std::span<const Pair> grad, output;
  Pair logsumexp;
};
AttentionGradient attention_gradient(const std::vector<Pair>& scores, const PairRows& values, const QueryGradient& query, const Step& step);

}  // namespace neuroncheck::oracles
