#include "oracles/pair.h"

#include <bit>
#include <cstdint>

#include "harness/number_format.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Pair rounded(Pair a, const Step& step) {
  if (!std::isfinite(a.value)) return a;
  // The reference's own zero is an exact one, unless float64 has underflowed to it.
  if (a.value == 0.0 && a.bound == 0.0 && step.precision < 53) return a;
  a.bound += step.unit * std::abs(a.value) + step.tiny;
  if (std::abs(a.value) + a.bound > step.largest) a.bound = kInfinity;
  return a;
}

// Such a factor is one that no rounding follows, as long as the result is a normal number.
bool is_power_of_two(Pair a) { return a.bound == 0.0 && lowest_bit(a.value) == std::abs(a.value); }

bool stays_normal(Pair a, const Step& step) { return std::abs(a.value) - a.bound >= step.smallest && std::abs(a.value) + a.bound <= step.largest; }

Pair with_function_error(double value, double change, double operand_bound, double error) {
  const double own = std::isfinite(value) ? error * (std::abs(value) + change) : 0.0;
  return settle(value, change + own, operand_bound);
}

}  // namespace

Pair settle(double value, double bound, double operand_bounds) {
  if (operand_bounds == 0.0 && !std::isfinite(value)) return {value, 0.0};
  return {value, std::isnan(bound) || std::isnan(value) ? kInfinity : bound};
}

Pair exact_sum(Pair a, Pair b) { return settle(a.value + b.value, a.bound + b.bound, a.bound + b.bound); }

Pair exact_product(Pair a, Pair b) {
  const auto infinite_times_nonzero = [](Pair x, Pair y) { return std::isinf(x.value) && x.bound == 0.0 && std::abs(y.value) > y.bound; };
  if (infinite_times_nonzero(a, b) || infinite_times_nonzero(b, a)) return {a.value * b.value, 0.0};
  const double carried = std::abs(a.value) * b.bound + std::abs(b.value) * a.bound + a.bound * b.bound;
  return settle(a.value * b.value, a.bound + b.bound == 0.0 ? 0.0 : carried, a.bound + b.bound);
}

Pair exact_quotient(Pair a, Pair b) {
  const double value = a.value / b.value;
  if (a.bound + b.bound == 0.0) return {value, 0.0};
  const double divisor = std::abs(b.value) - b.bound;
  if (b.bound > 0.0 && !(divisor > 0.0)) return {value, kInfinity};
  return settle(value, (a.bound + std::abs(value) * b.bound) / divisor, a.bound + b.bound);
}

Pair add(Pair a, Pair b, const Step& step) { return rounded(exact_sum(a, b), step); }
Pair subtract(Pair a, Pair b, const Step& step) { return add(a, {-b.value, b.bound}, step); }
Pair multiply(Pair a, Pair b, const Step& step) {
  const Pair product = exact_product(a, b);
  return (is_power_of_two(a) || is_power_of_two(b)) && stays_normal(product, step) ? product : rounded(product, step);
}
Pair divide(Pair a, Pair b, const Step& step) {
  const Pair quotient = exact_quotient(a, b);
  return is_power_of_two(b) && stays_normal(quotient, step) ? quotient : rounded(quotient, step);
}

// exp(0) and log(1) are exact: C's Annex F, and OpenCL's edge cases.
Pair exp(Pair a, const Step& step) {
  if (a.value == 0.0 && a.bound == 0.0) return {1.0, 0.0};
  const double value = std::exp(a.value);
  const double change = monotone_change(a, value, [](double x) { return std::exp(x); });
  Pair result = with_function_error(value, change, a.bound, step.exp_error);
  if (value < step.smallest * 2.0 && a.value > -kInfinity) result.bound += step.smallest;
  return result;
}

Pair log(Pair a, const Step& step) {
  if (a.value == 1.0 && a.bound == 0.0) return {0.0, 0.0};
  const double value = std::log(a.value);
  return with_function_error(value, monotone_change(a, value, [](double x) { return std::log(x); }), a.bound, step.log_error);
}

Pair rsqrt(Pair a, const Step& step) {
  const double value = 1.0 / std::sqrt(a.value);
  return with_function_error(value, monotone_change(a, value, [](double x) { return 1.0 / std::sqrt(x); }), a.bound, step.rsqrt_error);
}

Pair sum(std::span<const Pair> terms, const Step& step) {
  double value = 0.0, magnitude = 0.0, finite = 0.0, carried = 0.0, granule = kInfinity;
  for (const Pair& term : terms) {
    value += term.value;
    magnitude += std::abs(term.value) + term.bound;
    if (std::isfinite(term.value)) finite += std::abs(term.value) + term.bound;
    carried += term.bound;
    granule = std::min(granule, lowest_bit(term.value));
  }
  if (carried == 0.0 && magnitude <= exact_limit(step, granule)) return {value, 0.0};
  // Beside an infinite term, finite ones may overflow on their own, to the other infinity: then the sum is NaN in some orders.
  if (std::isinf(value) && finite > step.largest) return {value, kInfinity};
  if (!std::isfinite(value)) return settle(value, carried, carried);
  if (magnitude > step.largest) return {value, kInfinity};
  return settle(value, carried + summation_error(step, terms.size()) * magnitude, carried);
}

bool may_cross(Pair a, double limit) { return a.bound > 0.0 && !(std::abs(a.value - limit) > a.bound); }

bool is_power_of_two(double x) { return lowest_bit(x) == x; }

double lowest_bit(double x) {
  if (x == 0.0) return kInfinity;
  if (!std::isfinite(x)) return 0.0;
  constexpr std::uint64_t kHiddenBit = 1ULL << 52;
  const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(std::abs(x));
  const std::uint64_t significand = magnitude < kHiddenBit ? magnitude : (magnitude & (kHiddenBit - 1)) | kHiddenBit;
  const int exponent_of_last = std::max(static_cast<int>(magnitude >> 52), 1) - 1075;
  return power_of_two(exponent_of_last + std::countr_zero(significand));
}

double summation_error(const Step& step, std::size_t terms) {
  if (terms < 2) return 0.0;
  // In float64 the reference's own sum, one after the other, is as far off.
  const double own = step.precision >= 53 ? static_cast<double>(terms) : 0.0;
  const double error = step.summation * (step.height(terms, step.tile) + own) * step.unit;
  return error < 0.5 ? error / (1.0 - error) : kInfinity;
}

double exact_limit(const Step& step, double granule) {
  if (granule == kInfinity) return kInfinity;
  return std::min(std::ldexp(granule, step.precision), step.largest);
}

double sequential_height(std::size_t terms, int) { return static_cast<double>(terms); }

double tiled_height(std::size_t terms, int tile) {
  const double n = static_cast<double>(terms), t = static_cast<double>(tile);
  return std::min(n, t + std::ceil(n / t));
}

double pairwise_height(std::size_t terms, int) {
  const double lanes = 8.0;  // vector lanes and unrolled accumulators, added one after the other
  return std::min(static_cast<double>(terms), std::ceil(std::log2(static_cast<double>(terms))) + lanes);
}

}  // namespace neuroncheck::oracles
