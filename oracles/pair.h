// A value of the reference and a bound on how far a correct device may be from it, with the arithmetic that carries both (oracles.md 2.3).
// No torch: formulas are written once over pairs, elementwise or along a row, and are tested without tensors.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace neuroncheck::oracles {

// The exact result of a correct device before its final rounding lies in [value - bound, value + bound]. An infinite bound means that nothing is
// known: any value is legal, NaN included.
struct Pair {
  double value = 0.0;
  double bound = 0.0;
};

// Errors of one step of a device's arithmetic.
struct Step {
  double unit = 0.0;       // relative, per rounding: unit roundoff of the accumulate dtype (twice it when the reference itself computes in it)
  double tiny = 0.0;       // absolute, per rounding: underflow
  double smallest = 0.0;   // smallest normal number: absolute error of a function that underflows in the middle
  double largest = 0.0;    // overflow threshold
  double summation = 0.0;  // c_a of a summation
  double (*height)(std::size_t terms, int tile) = nullptr;  // roundings that one term of a sum can meet
  int tile = 128;
  int precision = 24;        // significand bits of the accumulator
  double output_unit = 0.0;  // of the dtype shown: a function that stays below it by much proves nothing
  double output_tiny = 0.0;  // absolute, per rounding to it
  double exp_error = 0.0;    // relative errors of the functions that composites use
  double log_error = 0.0;
  double rsqrt_error = 0.0;
  double erf_error = 0.0;
  double output_largest = std::numeric_limits<double>::infinity();  // of the dtype shown
};

// Value with what is known about it made consistent: a bound that came out NaN knows nothing; a NaN or infinity from exact operands is exact.
Pair settle(double value, double bound, double operand_bounds);

// One operation that the device rounds in its accumulate dtype.
Pair add(Pair a, Pair b, const Step& step);
Pair subtract(Pair a, Pair b, const Step& step);
Pair multiply(Pair a, Pair b, const Step& step);
Pair divide(Pair a, Pair b, const Step& step);
Pair exp(Pair a, const Step& step);
Pair log(Pair a, const Step& step);
Pair rsqrt(Pair a, const Step& step);

// The same without the rounding: for results that the device rounds once, at the end.
Pair exact_sum(Pair a, Pair b);
Pair exact_product(Pair a, Pair b);
Pair exact_quotient(Pair a, Pair b);

// Sum of the terms in any order, with or without fused multiply-adds into it; exact when every term is a multiple of one power of two and the
// magnitudes fit the accumulator.
Pair sum(std::span<const Pair> terms, const Step& step);

// Whether what is known of `a` leaves open that it lies on either side of `limit`: inside the bound, or nothing is known.
bool may_cross(Pair a, double limit);

// The power of two of the lowest set bit of x; infinity for zero (which every power divides), zero for NaN and infinities.
double lowest_bit(double x);
bool is_power_of_two(double x);
// c_a * h * u for a sum of this many terms, as a relative error of the sum of magnitudes; infinite where the bound loses its meaning.
double summation_error(const Step& step, std::size_t terms);
// What a sum of magnitudes may reach while every order of summation stays exact, for terms that are multiples of `granule`.
double exact_limit(const Step& step, double granule);

double sequential_height(std::size_t terms, int tile);
double tiled_height(std::size_t terms, int tile);
double pairwise_height(std::size_t terms, int tile);

// Largest change of a monotone function over the interval of `a`.
template <typename Function>
double monotone_change(Pair a, double value, Function function);

}  // namespace neuroncheck::oracles

#include <algorithm>
#include <cmath>
#include <limits>

template <typename Function>
double neuroncheck::oracles::monotone_change(Pair a, double value, Function function) {
  if (a.bound == 0.0) return 0.0;
  const double change = std::max(std::abs(function(a.value + a.bound) - value), std::abs(function(a.value - a.bound) - value));
  return std::isnan(change) ? std::numeric_limits<double>::infinity() : change;
}
