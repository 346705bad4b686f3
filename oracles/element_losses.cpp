// Losses over pairs (oracles.md 3.3).
#include "oracles/element_losses.h"

#include <algorithm>
#include <cmath>

#include "oracles/element_parts.h"

namespace neuroncheck::oracles::functions {
namespace {

bool accumulator_holds(double value, const Step& step) {
  const double size = std::abs(value);
  if (size == 0.0) return true;
  return step.precision < 53 && size >= step.smallest && lowest_bit(value) * std::ldexp(1.0, step.precision) > size;
}

// No rounding where the accumulator holds the difference.
Pair difference(Pair a, Pair b, const Step& step) {
  const Pair exact = exact_sum(a, {-b.value, b.bound});
  return exact.bound == 0.0 && accumulator_holds(exact.value, step) ? exact : oracles::subtract(a, b, step);
}

// A gradient times the slope, divided by the number of elements: by division, by the rounded reciprocal, or as one rounded factor.
Pair scaled(Pair gradient, Pair slope, const Element& element, double factor = 1.0) {
  const double count = element.parameter[1];
  Pair result = oracles::multiply(gradient, slope, element.step);
  const Pair scale{factor / count, 0.0};
  const bool exact = is_power_of_two(count);
  result = oracles::multiply(result, scale, element.step);
  if (!exact && std::isfinite(result.value)) result.bound += 2.0 * element.step.unit * std::abs(result.value);
  const double largest = element.step.largest;
  if (overflows_between({gradient.value, slope.value}, gradient.value * slope.value, element.step)) return {result.value, kUnknown};
  return std::abs(slope.value) * factor > largest && std::isfinite(slope.value) ? Pair{result.value, kUnknown} : result;
}

// max(log(x), -100), of 1 - x by log1p or by a rounded difference.
Pair limited_log(Pair a, const Element& element, bool of_rest) {
  const auto function = [=](double p) {
    const double logarithm = of_rest ? std::log1p(-p) : std::log(p);
    return std::isnan(logarithm) ? logarithm : std::max(logarithm, -100.0);
  };
  Pair result = monotone(a, function);
  if (!std::isfinite(result.value)) return result;
  const double of_difference = of_rest && a.value > 0.0 && a.value < 1.0 ? element.step.unit : 0.0;
  result.bound += element.error * std::abs(result.value) + of_difference;
  return result;
}

// beta, or delta, where the two branches meet: they differ by (z - beta)^2 / 2 beta near it.
double between_branches(Pair z, double beta, const Step& step) {
  const double doubt = z.bound + step.unit * (std::abs(z.value) + beta);
  return std::abs(z.value - beta) <= doubt ? 2.0 * doubt * doubt / beta : 0.0;
}

Pair magnitude_of_difference(const Pair* x, const Element& element) {
  const Pair d = difference(x[0], x[1], element.step);
  return {std::abs(d.value), d.bound};
}

}  // namespace

Pair squared_difference(const Pair* x, const Element& element) {
  const Pair d = difference(x[0], x[1], element.step), square = exact_product(d, d);
  // A difference has more bits than its operands: its square is rounded to the accumulator first, and then to a narrower output.
  const bool once = element.step.output_unit <= element.step.unit || accumulator_holds(square.value, element.step);
  return square.bound == 0.0 && once ? square : oracles::multiply(d, d, element.step);
}

// z^2 / 2 beta below beta, z - beta / 2 from there on.
Pair smooth_l1(const Pair* x, const Element& element) {
  const double beta = element.parameter[0], unit = element.step.unit;
  const Pair z = magnitude_of_difference(x, element);
  if (!std::isfinite(z.value)) return z;
  const bool near = z.value < beta;
  const double value = near ? 0.5 * z.value * z.value / beta : z.value - 0.5 * beta;
  const double own = near ? 4.0 * unit * value + element.step.tiny : 2.0 * unit * (z.value + beta);
  const double carried = std::min(1.0, (z.value + z.bound) / beta) * z.bound;
  return settle(value, carried + own + between_branches(z, beta, element.step), 1.0);
}

// z^2 / 2 up to delta, delta (z - delta / 2) beyond.
Pair huber(const Pair* x, const Element& element) {
  const double delta = element.parameter[0], unit = element.step.unit;
  const Pair z = magnitude_of_difference(x, element);
  if (!std::isfinite(z.value)) return z;
  const bool near = z.value <= delta;
  const double value = near ? 0.5 * z.value * z.value : delta * (z.value - 0.5 * delta);
  const double own = near ? 2.0 * unit * value + element.step.tiny : 4.0 * unit * delta * (z.value + delta);
  const double carried = std::min(delta, z.value + z.bound) * z.bound;
  return settle(value, carried + own + delta * between_branches(z, delta, element.step), 1.0);
}

// (t - 1) max(log(1 - x), -100) - t max(log(x), -100).
Pair binary_cross_entropy(const Pair* x, const Element& element) {
  const Step& step = element.step;
  const Pair against = oracles::multiply(oracles::subtract(x[1], {1.0, 0.0}, step), limited_log(x[0], element, true), step);
  return oracles::subtract(against, oracles::multiply(x[1], limited_log(x[0], element, false), step), step);
}

Pair weighted_binary_cross_entropy(const Pair* x, const Element& element) {
  return oracles::multiply(binary_cross_entropy(x, element), x[2], element.step);
}

Pair squared_difference_backward(const Pair* x, const Element& element) { return scaled(x[0], difference(x[1], x[2], element.step), element, 2.0); }

// (x - t) / beta within +-beta, the sign outside.
Pair smooth_l1_backward(const Pair* x, const Element& element) {
  const double beta = element.parameter[0];
  const Pair d = difference(x[1], x[2], element.step);
  if (std::isnan(d.value) || std::isnan(d.bound)) return scaled(x[0], d, element);
  const bool surely_outside = std::abs(d.value) - d.bound >= beta;
  if (surely_outside) return scaled(x[0], {std::copysign(1.0, d.value), 0.0}, element);
  const double slope = std::clamp(d.value / beta, -1.0, 1.0);
  if (overflows_between({x[0].value, d.value}, x[0].value * d.value, element.step)) return {x[0].value * slope, kUnknown};
  return scaled(x[0], settle(slope, d.bound / beta + 2.0 * element.step.unit * std::abs(slope) + element.step.tiny, 1.0), element);
}

// x - t within +-delta, +-delta outside.
Pair huber_backward(const Pair* x, const Element& element) {
  const double delta = element.parameter[0];
  const Pair d = difference(x[1], x[2], element.step);
  if (std::isnan(d.value)) return scaled(x[0], d, element);
  const double slope = std::clamp(d.value, -delta, delta);
  const bool surely_outside = std::abs(d.value) - d.bound >= delta;
  return scaled(x[0], settle(slope, surely_outside ? 0.0 : d.bound, d.bound), element);
}

// (x - t) / max((1 - x) x, 1e-12).
Pair binary_cross_entropy_backward(const Pair* x, const Element& element) {
  const Step& step = element.step;
  const Pair product = oracles::multiply(oracles::subtract({1.0, 0.0}, x[1], step), x[1], step);
  constexpr double kFloor = 1e-12;
  const Pair divisor{std::isnan(product.value) ? product.value : std::max(product.value, kFloor), std::max(product.bound, step.unit * kFloor)};
  Pair result = scaled(x[0], oracles::divide(difference(x[1], x[2], step), divisor, step), element);
  // Where the gradient is multiplied first, what underflows is divided afterwards.
  if (std::isfinite(result.value)) result.bound += step.tiny / divisor.value;
  return result;
}

Pair weighted_binary_cross_entropy_backward(const Pair* x, const Element& element) {
  return oracles::multiply(binary_cross_entropy_backward(x, element), x[3], element.step);
}

}  // namespace neuroncheck::oracles::functions
