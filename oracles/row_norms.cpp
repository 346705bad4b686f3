#include "oracles/row_norms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/element_functions.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Pair absolute(Pair a) { return functions::absolute(&a, Element{}); }

Pair extreme_of(std::span<const Pair> row, ElementFunction choose, double start) {
  Pair result{start, 0.0};
  for (const Pair& x : row) {
    const Pair both[2] = {result, absolute(x)};
    result = choose(both, Element{});
  }
  return result;
}

// A positive power of a magnitude or of a sum of them.
Pair power_of(Pair a, double exponent, double error, const Step& step) {
  const auto function = [exponent](double x) { return std::pow(std::max(x, 0.0), exponent); };
  const double value = std::isnan(a.value) ? a.value : function(a.value);
  Pair result = settle(value, monotone_change(a, value, function), a.bound);
  if (std::isfinite(value) && value != 0.0 && a.value != 1.0) {
    result.bound += error * (std::abs(value) + result.bound) + step.tiny;
    if (value + result.bound > step.largest) result.bound = kInfinity;
  }
  return result;
}

// The accumulator holds it, and float64 has not rounded it.
bool is_exact_square(Pair a, Pair square, const Step& step) {
  const double value = square.value;
  return a.bound == 0.0 && step.precision < 53 && value >= step.smallest && value <= exact_limit(step, lowest_bit(value));
}

Pair join(Pair a, Pair b) {
  const double apart = std::abs(a.value - b.value) + b.bound;
  return {a.value, std::isnan(apart) ? kInfinity : std::max(a.bound, apart)};
}

}  // namespace

// d_a / (sqrt(a) + sqrt(a - d_a)) + u: exact operands need no bound, as the result is rounded once (24 >= 2 p + 2).
Pair root(Pair a, double sqrt_error, const Step& step) {
  const double value = std::sqrt(a.value);
  const double change = monotone_change(a, value, [](double x) { return std::sqrt(std::max(x, 0.0)); });
  if (!std::isfinite(value)) return settle(value, change, a.bound);
  const double rounding = change > 0.0 ? step.unit : 0.0;
  return {value, change + (rounding + sqrt_error) * (value + change)};
}

Pair magnitude_power(Pair a, const NormKind& kind, const Step& step) {
  if (kind.power == 1.0) return absolute(a);
  if (kind.power == 2.0) {
    const Pair square = exact_product(a, a);
    return is_exact_square(a, square, step) ? square : multiply(a, a, step);
  }
  return power_of(absolute(a), kind.power, kind.pow_error, step);
}

Pair norm_row(std::span<const Pair> row, const NormKind& kind, const Step& step) {
  if (kind.power == kInfinity) return extreme_of(row, functions::maximum, 0.0);
  if (kind.power == -kInfinity) return extreme_of(row, functions::minimum, kInfinity);
  std::vector<Pair> terms;
  for (const Pair& x : row) {
    const Pair both[2] = {x, {0.0, 0.0}};
    terms.push_back(kind.power == 0.0 ? functions::not_equal(both, Element{}) : magnitude_power(x, kind, step));
  }
  const Pair total = sum(terms, step);
  if (kind.power == 0.0 || kind.power == 1.0) return total;
  // Powers overflow where a norm does not: whoever scales them first, or has one number only, need not.
  const bool overflows =
      kind.power > 0.0 && std::isinf(total.value) && std::ranges::all_of(row, [](const Pair& x) { return std::isfinite(x.value); });
  if (overflows) return {total.value, kInfinity};
  if (kind.power == 2.0) return root(total, kind.sqrt_error, step);
  // The exponent 1 / p is rounded as well.
  const double exponent = 1.0 / kind.power;
  const double rounded_exponent = std::isfinite(total.value) && total.value > 0.0 ? step.unit * std::abs(exponent * std::log(total.value)) : 0.0;
  return power_of(total, exponent, kind.pow_error + rounded_exponent, step);
}

Pair distance_row(std::span<const Pair> x, std::span<const Pair> y, const DistanceKind& kind, const Step& step) {
  std::vector<Pair> differences, squares;
  for (std::size_t i = 0; i < x.size(); ++i) differences.push_back(subtract(x[i], y[i], step));
  Pair direct = norm_row(differences, kind.norm, step);
  if (kind.squared == SquaredDistance::of_differences || kind.norm.power != 2.0) return direct;
  double magnitude = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (const Pair term : {multiply(x[i], x[i], step), multiply(y[i], y[i], step), multiply({-2.0 * x[i].value, 2.0 * x[i].bound}, y[i], step)}) {
      squares.push_back(term);
      magnitude += std::abs(term.value) + term.bound;
    }
  }
  // Two sums of n terms and one of n + 2.
  Pair total = sum(squares, step);
  if (total.bound > 0.0) total.bound += 4.0 * step.unit * magnitude;
  total.value = std::max(total.value, 0.0);
  return join(direct, root(total, kind.norm.sqrt_error, step));
}

Pair distance_gradient(Pair grad, const Difference& of, const NormKind& kind, const Step& step) {
  const Pair zero{0.0, 0.0};
  const Pair sign = functions::sign(&of.difference, Element{});
  if (kind.power == 0.0) return zero;
  if (kind.power == 1.0) return multiply(grad, sign, step);
  if (kind.power == kInfinity) {
    const double apart = std::abs(std::abs(of.difference.value) - of.distance.value), doubt = of.difference.bound + of.distance.bound;
    const Pair taken = multiply(grad, sign, step);
    if (apart > doubt) return zero;
    return doubt == 0.0 ? taken : join(taken, zero);
  }
  if (of.distance.value == 0.0 && of.distance.bound == 0.0) return zero;
  if (of.difference.value == 0.0 && of.difference.bound == 0.0) return kind.power < 1.0 ? zero : multiply(grad, zero, step);
  if (kind.power == 2.0) return divide(multiply(grad, of.difference, step), of.distance, step);
  const NormKind lower{kind.power - 1.0, kind.sqrt_error, kind.pow_error};
  // |d|^(p-1), also d |d|^(p-2): one product more.
  Pair power = power_of(absolute(of.difference), lower.power, kind.pow_error, step);
  if (std::isfinite(power.value)) power.bound += step.unit * power.value;
  const Pair numerator = multiply(multiply(sign, power, step), grad, step);
  return divide(numerator, power_of(of.distance, lower.power, kind.pow_error, step), step);
}

std::vector<Pair> renorm_row(std::span<const Pair> row, const NormKind& kind, double largest, const Step& step) {
  const Pair norm = norm_row(row, kind, step);
  const Pair scale = divide({largest, 0.0}, add(norm, {1e-7, 1e-7 * step.unit}, step), step);
  const bool exceeds = norm.value > largest;
  const bool in_doubt = norm.bound > 0.0 && !(std::abs(norm.value - largest) > norm.bound + step.unit * largest);
  std::vector<Pair> result;
  for (const Pair& x : row) {
    const Pair scaled = multiply(x, scale, step);
    if (in_doubt) {
      result.push_back(exceeds ? join(scaled, x) : join(x, scaled));
    } else {
      result.push_back(exceeds ? scaled : x);
    }
  }
  return result;
}

}  // namespace neuroncheck::oracles
