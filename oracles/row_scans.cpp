#include "oracles/row_scans.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double odd_bits(double x) {
  const double odd = std::abs(x) / lowest_bit(x);
  return odd == 1.0 ? 0.0 : std::ceil(std::log2(odd));
}

double log_of_sum(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  if (std::isinf(a) && a == b) return a;
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

// Rounding of log(exp(a) + exp(b)) = M + log1p(exp(m - M)): the argument, exp, log (or log1p) and the last sum.
double own_error(double a, double b, double value, const Step& step) {
  const double apart = std::abs(a - b);
  if (!std::isfinite(value)) return 0.0;
  if (!std::isfinite(apart)) return step.unit * std::abs(value) + step.tiny;
  const double small = std::exp(-apart);
  const double inner = small * (step.exp_error + 2.0 * step.unit * apart) + step.smallest;
  return inner + step.log_error * std::log1p(small) + step.unit * (std::abs(value) + 1.0);
}

}  // namespace

void RunningProduct::multiply_by(Pair factor) {
  product_ = exact_product(product_, factor);
  ++count_;
  if (factor.value == 0.0 || !std::isfinite(factor.value)) return;
  const double exponent = std::log2(std::abs(factor.value) + factor.bound);
  (exponent > 0.0 ? growth_ : decay_) += exponent;
  bits_ += odd_bits(factor.value);
}

Pair RunningProduct::result(const Step& step) const {
  if (!std::isfinite(product_.value) || count_ < 2) return product_;
  const bool overflows = growth_ >= std::log2(step.largest), underflows = decay_ <= std::log2(step.smallest);
  if (overflows || (underflows && growth_ > 0.0)) return {product_.value, kInfinity};
  if (product_.bound == 0.0 && bits_ <= step.precision && !underflows) return product_;
  const double roundings = std::expm1(static_cast<double>(count_) * std::log1p(step.unit));
  const double underflow = underflows ? step.smallest : 0.0;
  return {product_.value, product_.bound + roundings * (std::abs(product_.value) + product_.bound) + underflow};
}

std::vector<Pair> cumulative_product_row(std::span<const Pair> row, const Step& step) {
  RunningProduct product;
  std::vector<Pair> result;
  for (const Pair& x : row) {
    product.multiply_by(x);
    result.push_back(product.result(step));
  }
  return result;
}

// One after the other an error shrinks with the share that its partial result has of the sum; in a tree of log2(n) levels each may keep all of it.
// Blocks do both, one after the other.
std::vector<Pair> logcumsumexp_row(std::span<const Pair> row, const Step& step) {
  std::vector<Pair> result;
  double value = 0.0, sequential = 0.0, carried = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Pair& x = row[i];
    const double before = value;
    value = i == 0 ? x.value : log_of_sum(before, x.value);
    if (std::isfinite(x.value)) largest = std::max(largest, std::abs(x.value));
    if (i == 0) {
      carried = x.bound;
      result.push_back(x);
      continue;
    }
    const double share = std::isfinite(value) && std::isfinite(before) ? std::exp(before - value) : 0.0;
    sequential = std::min(1.0, share * (1.0 + 4.0 * sequential)) * sequential + own_error(before, x.value, value, step);
    carried = std::max(carried, x.bound);  // what the sum moves by is a mean of what its terms move by
    const double count = static_cast<double>(i + 1);
    const double level = step.exp_error + step.log_error + step.unit * (largest + std::log(count) + 2.0);
    const double own = std::isfinite(value) ? sequential + std::ceil(std::log2(count)) * level : 0.0;
    result.push_back(settle(value, carried + own, carried));
  }
  return result;
}

}  // namespace neuroncheck::oracles
