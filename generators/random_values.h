// Recipes of ops that draw random numbers.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (self, generator), (self, parameters..., generator): fills self; probabilities as input.
Recipe bernoulli();
Recipe bernoulli_in_place();
Recipe location_scale();  // cauchy: median and scale; normal: mean and deviation
Recipe exponential();
Recipe geometric();
Recipe log_normal();
Recipe uniform();

// normal: mean and deviation, each a tensor or a number.
Recipe normal_of_tensors();
Recipe normal_of_means();
Recipe normal_of_numbers();
// (weights, num_samples, replacement)
Recipe multinomial();

// (high, size), (low, high, size), and the same of a tensor's sizes.
enum class Limits : std::uint8_t { high, both };
Recipe random_integers(Limits limits);
Recipe random_integers_like(Limits limits);
Recipe random_like();
Recipe permutation();

// (input, p, train)
Recipe native_dropout();
// (self, noise, lower, upper, training)
Recipe rrelu();

}  // namespace neuroncheck::generators
