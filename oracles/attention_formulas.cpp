#include "oracles/attention_formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/row_formulas.h"

namespace neuroncheck::oracles {
namespace {

constexpr std::size_t kSmallestBlock = 32;  // keys that a device takes at a time, at least

Pair dot(std::span<const Pair> a, std::span<const Pair> b, const Step& step) { return sum(products(a, b, step), step); }

double magnitude_of_dot(std::span<const Pair> a, std::span<const Pair> b) {
  double total = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) total += std::abs(a[i].value * b[i].value);
  return total;
}

}  // namespace

std::vector<Pair> attention_scores(std::span<const Pair> query, const PairRows& keys, const Scoring& scoring, const Step& step) {
  std::vector<Pair> scores;
  const Pair scale{scoring.scale, std::abs(scoring.scale) * step.unit};
  for (std::size_t j = 0; j < keys.count(); ++j) {
    if (j >= scoring.keys) {
      scores.push_back({-std::numeric_limits<double>::infinity(), 0.0});
      continue;
    }
    // The query may be scaled first.
    const double early = 2.0 * step.unit * std::abs(scoring.scale) * magnitude_of_dot(query, keys.row(j));
    const Pair score = widened(multiply(scale, dot(query, keys.row(j), step), step), early);
    scores.push_back(scoring.mask.empty() ? score : add(score, scoring.mask[j], step));
  }
  return scores;
}

// sum(p v) with p = softmax: the same errors as sum(e v) / sum(e). In blocks (online softmax, Milakov and Gimelshein 2018) what has been summed is
// multiplied by exp(m - m') once a block, above and below the line.
Attended attend(const std::vector<Pair>& scores, const PairRows& values, const Step& step) {
  std::vector<Pair> shares = softmax_row(scores, step);
  for (Pair& share : shares) share = stored(share, step);
  const double blocks = std::ceil(static_cast<double>(scores.size()) / static_cast<double>(kSmallestBlock)) - 1.0;
  const double rescaling = 2.0 * std::max(blocks, 0.0) * (step.exp_error + 3.0 * step.unit);
  Attended result;
  for (std::size_t c = 0; c < values.width; ++c) {
    std::vector<Pair> terms;
    double magnitude = 0.0;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      terms.push_back(multiply(shares[j], values.row(j)[c], step));
      magnitude += std::abs(terms.back().value);
    }
    // One more product where the sum is divided in the end.
    result.output.push_back(widened(sum(terms, step), (rescaling + 2.0 * step.unit) * magnitude));
  }
  Step wide = step;
  wide.output_unit = step.unit;  // it is kept in the accumulate dtype
  result.logsumexp = widened(logsumexp_row(scores, wide), rescaling);
  return result;
}

AttentionGradient attention_gradient(const std::vector<Pair>& scores, const PairRows& values, const QueryGradient& query, const Step& step) {
  const Pair correction = dot(query.grad, query.output, step);
  AttentionGradient result;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const Pair share = exp(subtract(scores[j], query.logsumexp, step), step);
    const Pair slope = multiply(share, subtract(dot(query.grad, values.row(j), step), correction, step), step);
    result.shares.push_back(stored(share, step));
    result.scores.push_back(stored(slope, step));
  }
  return result;
}

}  // namespace neuroncheck::oracles
