// Recipes of the special functions whose arguments are not those of any pointwise op.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (x, n) of the orthogonal polynomials: the degree is an integer tensor that broadcasts with x.
Recipe polynomial();
// (n, x) of polygamma, (x, p) of mvlgamma: a small number beside the argument.
Recipe polygamma();
Recipe multivariate_gamma();
// What gamma functions and zeta take: positive, away from the poles.
Fills above_one(Dtype dtype);
Fills above_two(Dtype dtype);  // away from the root of digamma, too
// Open unit interval: the domain of ndtri and logit.
Fills open_unit_interval(Dtype dtype);

}  // namespace neuroncheck::generators
