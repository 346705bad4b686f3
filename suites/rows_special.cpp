#include "generators/elementwise.h"
#include "generators/special.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::above_one, generators::above_two, generators::binary, generators::Form, generators::moderate, generators::multivariate_gamma,
    generators::polygamma, generators::polynomial, generators::open_unit_interval, generators::unary;
using enum Trait;

namespace {

Dtypes singles() { return {Dtype::float32, Dtype::float64}; }

std::vector<Row> gamma_rows() {
  return rows_of("special", {
                                {"lgamma", floats(), unary(above_one), {estimated}},
                                {"digamma", floats(), unary(above_two), {estimated}},
                                {"digamma_", floats(), unary(above_two, Form::in_place), {in_place, estimated}},
                                {"polygamma", floats(), polygamma(), {estimated}},
                                {"mvlgamma", floats(), multivariate_gamma(), {estimated}},
                                {"igamma", floats(), binary(above_one, above_one), {estimated}},
                                {"igammac", floats(), binary(above_one, above_one), {estimated}},
                                {"special_zeta", singles(), binary(above_one, above_one), {estimated}},
                                {"special_erfcx", singles(), unary(moderate), {estimated}},
                                {"special_log_ndtr", singles(), unary(moderate), {estimated}},
                                {"special_ndtri", singles(), unary(open_unit_interval), {estimated}},
                            });
}

std::vector<Row> bessel_rows() {
  return rows_of("special", {
                                {"i0", floats(), unary(moderate), {estimated}},
                                {"special_i0e", floats(), unary(moderate), {estimated}},
                                {"special_i1", singles(), unary(moderate), {estimated}},
                                {"special_i1e", singles(), unary(moderate), {estimated}},
                                {"special_airy_ai", singles(), unary(moderate), {estimated}},
                                {"special_bessel_j0", singles(), unary(moderate), {estimated}},
                                {"special_bessel_j1", singles(), unary(moderate), {estimated}},
                                {"special_bessel_y0", singles(), unary(above_one), {estimated}},
                                {"special_bessel_y1", singles(), unary(above_one), {estimated}},
                                {"special_modified_bessel_i0", singles(), unary(moderate), {estimated}},
                                {"special_modified_bessel_i1", singles(), unary(moderate), {estimated}},
                                {"special_modified_bessel_k0", singles(), unary(above_one), {estimated}},
                                {"special_modified_bessel_k1", singles(), unary(above_one), {estimated}},
                                {"special_scaled_modified_bessel_k0", singles(), unary(above_one), {estimated}},
                                {"special_scaled_modified_bessel_k1", singles(), unary(above_one), {estimated}},
                                {"special_spherical_bessel_j0", singles(), unary(moderate), {estimated}},
                            });
}

std::vector<Row> polynomial_rows() {
  std::vector<RowLine> lines;
  for (const char* kind :
       {"chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w", "hermite_polynomial_h",
        "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p", "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u",
        "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w"}) {
    lines.push_back({std::string("special_") + kind, singles(), polynomial(), {estimated}});
  }
  return rows_of("special", lines);
}

}  // namespace

std::vector<Row> special_rows() {
  std::vector<Row> rows = gamma_rows();
  for (auto more : {bessel_rows, polynomial_rows}) {
    for (Row& row : more()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace neuroncheck
