#include "oracles/loss_rows.h"

#include <algorithm>
#include <cmath>

namespace neuroncheck::oracles {
namespace {

// margin - x[target] + x[i], in any order.
Pair gap(Pair at_target, Pair other, const Margin& margin, const Step& step) {
  const Pair terms[3] = {{margin.margin, 0.0}, {-at_target.value, at_target.bound}, other};
  return sum(terms, step);
}

// max(0, gap), squared or not.
Pair hinge(Pair gap, const Margin& margin, const Step& step) {
  if (std::isnan(gap.value)) return {0.0, HUGE_VAL};  // torch's CPU kernels pass over NaN
  const auto function = [](double z) { return z > 0.0 ? z : 0.0; };
  const double value = function(gap.value);
  const Pair height = settle(value, monotone_change(gap, value, function), gap.bound);
  return margin.squared ? multiply(height, height, step) : height;
}

// Its slope.
Pair hinge_slope(Pair gap, const Margin& margin) {
  if (std::isnan(gap.value)) return {0.0, HUGE_VAL};
  const bool ambiguous = may_cross(gap, 0.0);
  if (!margin.squared) return {gap.value > 0.0 ? 1.0 : 0.0, ambiguous ? 1.0 : 0.0};
  return gap.value > 0.0 ? Pair{2.0 * gap.value, 2.0 * gap.bound} : Pair{0.0, ambiguous ? 4.0 * gap.bound : 0.0};
}

std::vector<bool> flags_of(const ScoredRow& row) {
  std::vector<bool> flags(row.scores.size(), false);
  for (const std::int64_t target : row.targets) flags[static_cast<std::size_t>(target)] = true;
  return flags;
}

// Two divisions, or multiplications with rounded reciprocals, more than the arithmetic shows.
Pair with_slack(Pair pair, const Step& step) {
  if (std::isfinite(pair.value)) pair.bound += 4.0 * step.unit * std::abs(pair.value) + (pair.value == 0.0 && pair.bound == 0.0 ? 0.0 : step.tiny);
  return pair;
}

}  // namespace

Pair mean_of(std::span<const Pair> terms, const Step& step) {
  const double count = static_cast<double>(terms.size());
  const Pair total = sum(terms, step);
  if (!std::isfinite(total.value) || count == 0.0) return {total.value / count, total.bound};
  double magnitude = 0.0;
  for (const Pair& term : terms) magnitude += std::abs(term.value) + term.bound;
  const double own = is_power_of_two(count) && magnitude > step.smallest * count ? 0.0 : 2.0 * step.unit * magnitude + (count + 1.0) * step.tiny;
  return {total.value / count, (total.bound + own) / count + (own == 0.0 ? 0.0 : step.tiny)};
}

Pair margin_row(const ScoredRow& row, Pair weight, const Margin& margin, const Step& step) {
  const std::vector<bool> is_target = flags_of(row);
  std::vector<Pair> terms;
  for (const std::int64_t target : row.targets) {
    const Pair at_target = row.scores[static_cast<std::size_t>(target)];
    for (std::size_t i = 0; i < row.scores.size(); ++i) {
      if (!is_target[i]) terms.push_back(multiply(hinge(gap(at_target, row.scores[i], margin, step), margin, step), weight, step));
    }
  }
  return with_slack(divide(sum(terms, step), {static_cast<double>(row.scores.size()), 0.0}, step), step);
}

std::vector<Pair> margin_backward_row(const ScoredRow& row, Pair factor, const Margin& margin, const Step& step) {
  const std::vector<bool> is_target = flags_of(row);
  std::vector<std::vector<Pair>> terms(row.scores.size());
  const Pair classes{static_cast<double>(row.scores.size()), 0.0};
  for (const std::int64_t target : row.targets) {
    const auto at = static_cast<std::size_t>(target);
    for (std::size_t i = 0; i < row.scores.size(); ++i) {
      if (is_target[i]) continue;
      const Pair slope = hinge_slope(gap(row.scores[at], row.scores[i], margin, step), margin);
      const Pair share = with_slack(divide(multiply(factor, slope, step), classes, step), step);
      terms[i].push_back(share);
      terms[at].push_back({-share.value, share.bound});
    }
  }
  // The sum may be multiplied with the gradient at last, and 0 * infinity is NaN.
  std::vector<Pair> result;
  for (const std::vector<Pair>& parts : terms) result.push_back(std::isfinite(factor.value) ? sum(parts, step) : Pair{0.0, HUGE_VAL});
  return result;
}

}  // namespace neuroncheck::oracles
