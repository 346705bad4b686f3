#include "oracles/row_formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/element_functions.h"
#include "oracles/row_scans.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Pair kOne{1.0, 0.0};

Pair largest_of(std::span<const Pair> row) {
  Pair result{-kInfinity, 0.0};
  for (const Pair& x : row) {
    const Pair both[2] = {result, x};
    result = functions::maximum(both, Element{});
  }
  return result;
}

// exp(x - m), also as exp2((x - m) log2(e)): one more rounding of the argument.
Pair shifted_exp(Pair x, Pair m, const Step& step) {
  Pair shifted = subtract(x, m, step);
  if (std::isfinite(shifted.value)) shifted.bound += 2.0 * step.unit * std::abs(shifted.value);
  return exp(shifted, step);
}

std::vector<Pair> shifted_exps(std::span<const Pair> row, Pair m, const Step& step) {
  if (row.size() == 1 && std::isfinite(row[0].value) && std::isfinite(row[0].bound)) return {kOne};  // its own maximum, whatever it is
  std::vector<Pair> result;
  for (const Pair& x : row) result.push_back(shifted_exp(x, m, step));
  return result;
}

}  // namespace

Pair widened(Pair a, double by) { return std::isfinite(a.value) ? settle(a.value, a.bound + by, 1.0) : a; }

Pair stored(Pair a, const Step& step) {
  if (!(step.output_unit > step.unit)) return a;
  const double largest = std::abs(a.value) + a.bound;
  return std::isfinite(a.value) && largest > step.output_largest ? Pair{a.value, kInfinity}
                                                                 : widened(a, step.output_unit * largest + step.output_tiny);
}

std::vector<Pair> products(std::span<const Pair> a, std::span<const Pair> b, const Step& step) {
  std::vector<Pair> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(multiply(a[i], b[i], step));
  return result;
}

Pair reciprocal_deviation(Pair variance, double epsilon, const Step& step) {
  return rsqrt(add(variance, {epsilon, epsilon * step.unit}, step), step);
}

std::vector<Pair> softmax_row(const std::vector<Pair>& row, const Step& step) {
  const std::vector<Pair> exps = shifted_exps(row, largest_of(row), step);
  const Pair reciprocal = divide(kOne, sum(exps, step), step);  // times the reciprocal: one rounding more than the division
  std::vector<Pair> result;
  for (const Pair& e : exps) result.push_back(multiply(e, reciprocal, step));
  return result;
}

std::vector<Pair> log_softmax_row(const std::vector<Pair>& row, const Step& step) {
  const Pair m = largest_of(row);
  if (row.size() == 1 && std::isfinite(m.value) && std::isfinite(m.bound)) return {Pair{}};
  const Pair log_sum = widened(log(sum(shifted_exps(row, m, step), step), step), step.unit);
  std::vector<Pair> result;
  for (const Pair& x : row) result.push_back(subtract(subtract(x, m, step), log_sum, step));
  return result;
}

// y (g - s) or g y - y s, s = sum of g y.
std::vector<Pair> softmax_backward_row(const std::vector<Pair>& grad, const std::vector<Pair>& output, const Step& step) {
  const Pair s = sum(products(grad, output, step), step);
  std::vector<Pair> result;
  for (std::size_t i = 0; i < grad.size(); ++i) {
    const double apart = step.unit * std::abs(output[i].value) * (std::abs(grad[i].value) + std::abs(s.value)) + 2.0 * step.tiny;
    result.push_back(widened(multiply(output[i], subtract(grad[i], s, step), step), apart));
  }
  return result;
}

// g - exp(y) sum(g)
std::vector<Pair> log_softmax_backward_row(const std::vector<Pair>& grad, const std::vector<Pair>& output, const Step& step) {
  const Pair s = sum(grad, step);
  std::vector<Pair> result;
  for (std::size_t i = 0; i < grad.size(); ++i) result.push_back(subtract(grad[i], multiply(exp(output[i], step), s, step), step));
  return result;
}

// Composite in torch: max, sub, exp, sum and log may each store their result.
Pair logsumexp_row(std::span<const Pair> row, const Step& step) {
  Pair m = largest_of(row);
  if (std::isinf(m.value)) m = {0.0, 0.0};  // as torch: otherwise inf - inf
  std::vector<Pair> exps;
  for (const Pair& x : row) {
    Pair shifted = stored(subtract(x, m, step), step);
    if (std::isfinite(shifted.value)) shifted.bound += 2.0 * step.unit * std::abs(shifted.value);
    exps.push_back(stored(exp(shifted, step), step));
  }
  const Pair total = stored(sum(exps, step), step);
  return add(stored(widened(log(total, step), step.unit), step), m, step);
}

Pair product_row(std::span<const Pair> row, const Step& step) {
  RunningProduct product;
  for (const Pair& x : row) product.multiply_by(x);
  return product.result(step);
}

Moments variance_row(std::span<const Pair> row, double correction, const Step& step) {
  const double n = static_cast<double>(row.size());
  const Pair mean = divide(sum(row, step), {n, 0.0}, step);
  std::vector<Pair> squares;
  double norm = 0.0, magnitude = 0.0;
  for (const Pair& x : row) {
    magnitude += std::abs(x.value);
    const Pair difference = subtract(x, mean, step);
    squares.push_back(multiply(difference, difference, step));
    norm += x.value * x.value;
  }
  const Pair total = sum(squares, step);
  Pair variance = divide(total, {std::max(0.0, n - correction), 0.0}, step);
  // Welford's update: relative error (h + 4) u kappa, kappa = |x| / |x - mean| (Chan, Golub, LeVeque 1983).
  const double kappa_total = std::sqrt(norm * std::max(total.value, 0.0));
  const double welford = (step.height(row.size(), step.tile) + 4.0) * step.unit * kappa_total / std::max(n - correction, 1.0);
  if (row.size() < 2) return {mean, variance};
  // Its mean divides at every update: no sum is exact. Update k leaves u (|mean_k| + 3 |x_k - mean_(k-1)| / k), of which k / n stays.
  const double updates = (step.height(row.size(), step.tile) + 6.0) * step.unit * magnitude / n;
  return {widened(mean, updates), widened(variance, welford)};
}

std::vector<Pair> affine_row(std::span<const Pair> x, const Centre& centre, const Affine& affine, const Step& step) {
  std::vector<Pair> result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Pair y = multiply(subtract(x[i], centre.mean, step), centre.rstd, step);
    const Pair weight = affine.weight.empty() ? kOne : affine.weight[i];
    y = multiply(y, weight, step);
    if (!affine.bias.empty()) y = add(y, affine.bias[i], step);
    const double scale = std::abs(centre.rstd.value * weight.value);
    const double bias = affine.bias.empty() ? 0.0 : std::abs(affine.bias[i].value);
    result.push_back(widened(y, 2.0 * step.unit * (scale * (std::abs(x[i].value) + std::abs(centre.mean.value)) + bias)));
  }
  return result;
}

NormalisedRow layer_norm_row(std::span<const Pair> x, const Affine& affine, const Step& step) {
  const Moments moments = variance_row(x, 0.0, step);
  const Pair rstd = reciprocal_deviation(moments.variance, affine.epsilon, step);
  return {affine_row(x, {moments.mean, rstd}, affine, step), moments.mean, rstd};
}

Pair normalised(Pair x, Pair mean, Pair rstd, const Step& step) {
  const double folded = 2.0 * step.unit * std::abs(rstd.value) * (std::abs(x.value) + std::abs(mean.value));
  return widened(multiply(subtract(x, mean, step), rstd, step), folded);
}

// r (g w - mean(g w) - xhat mean(g w xhat)), and the folded form a g w + b x + c of the CPU (b = (sum(g w) m - sum(g w x)) r^3 / n,
// c = -b m - sum(g w) r / n): the same value, so the larger bound holds for both.
std::vector<Pair> layer_norm_backward_row(std::span<const Pair> grad, std::span<const Pair> x, const SavedNorm& saved, const Step& step) {
  const Pair n{static_cast<double>(x.size()), 0.0};
  const Pair& r = saved.rstd;
  std::vector<Pair> weighted, normal;
  for (std::size_t i = 0; i < x.size(); ++i) {
    weighted.push_back(saved.weight.empty() ? grad[i] : multiply(grad[i], saved.weight[i], step));
    normal.push_back(multiply(subtract(x[i], saved.mean, step), r, step));
  }
  const Pair mean_weighted = divide(sum(weighted, step), n, step);
  const Pair mean_product = divide(sum(products(weighted, normal, step), step), n, step);
  const Pair sum_weighted = sum(weighted, step), sum_scaled = sum(products(weighted, x, step), step);
  const Pair cube = multiply(multiply(r, r, step), r, step);
  const Pair b = divide(multiply(subtract(multiply(sum_weighted, saved.mean, step), sum_scaled, step), cube, step), n, step);
  const Pair c = add(multiply(b, saved.mean, step), divide(multiply(sum_weighted, r, step), n, step), step);
  std::vector<Pair> result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Pair inner = subtract(subtract(weighted[i], mean_weighted, step), multiply(normal[i], mean_product, step), step);
    Pair direct = multiply(r, inner, step);
    direct = widened(direct, saved.scale_rounding * (std::abs(direct.value) + direct.bound));
    const Pair folded = subtract(add(multiply(r, weighted[i], step), multiply(b, x[i], step), step), c, step);
    result.push_back(settle(direct.value, std::max(direct.bound, folded.bound), direct.bound));
  }
  return result;
}

}  // namespace neuroncheck::oracles
