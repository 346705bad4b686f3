#include "generators/linalg.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::applied_reflectors, generators::arguments, generators::cross, generators::eig_product, generators::eigh_product,
    generators::householder_product, generators::ldl_solve, generators::lu_product, generators::lu_solve, generators::none, generators::numbers,
    generators::of_matrix, generators::qr_product, generators::solving, generators::solving_right, generators::svd_product,
    generators::unpacked_product;
using enum generators::MatrixKind;
using enum Trait;

namespace {

Dtypes singles() { return {Dtype::float32, Dtype::float64}; }

}  // namespace

// What LAPACK computes, in float32 and float64. The estimate knows how sensitive each matrix is.
std::vector<Row> linalg_rows() {
  return rows_of(
      "linalg",
      {
          {"cholesky", singles(), of_matrix(definite, {arguments(false), arguments(true)}), {estimated}},
          {"linalg_cholesky_ex", singles(), of_matrix(definite, {arguments(false, false), arguments(true, false)}, 2), {estimated}},
          {"cholesky_inverse", singles(), of_matrix(lower, {arguments(false)}), {estimated}},
          {"cholesky_solve", singles(), solving_right(lower, {arguments(false)}), {estimated}},
          {"linalg_inv_ex", singles(), of_matrix(square, {arguments(false)}, 2), {estimated}},
          {"_linalg_det", singles(), of_matrix(square, {}), {estimated}},
          {"_linalg_slogdet", singles(), of_matrix(square, {}, 2), {estimated}},
          {"_linalg_solve_ex", singles(), solving(square, {arguments(true, false)}), {estimated}},
          {"linalg_lstsq", singles(), solving(definite, {arguments(none(), none())}), {estimated, eager_only}},
          {"linalg_solve_triangular", singles(), solving(lower, {arguments(false, true, false), arguments(false, true, true)}), {estimated}},
          {"triangular_solve", singles(), solving_right(lower, {arguments(false, false, false), arguments(false, true, false)}), {estimated}},
          {"linalg_pinv.atol_rtol_tensor", singles(), of_matrix(general, {arguments(none(), none(), false)}), {estimated}},
          {"linalg_matrix_exp", singles(), of_matrix(square, {}), {estimated}},
          {"linalg_qr", singles(), qr_product(), {estimated}},
          {"_linalg_svd", singles(), svd_product(), {estimated}},
          {"_linalg_eigh", singles(), eigh_product(), {estimated}},
          {"linalg_eig", singles(), eig_product(), {estimated}},
          {"linalg_lu", singles(), lu_product(), {estimated}},
          {"linalg_lu_factor_ex", singles(), unpacked_product(), {estimated}},
          {"lu_unpack", singles(), unpacked_product(), {estimated}},
          {"linalg_lu_solve", singles(), lu_solve(), {estimated}},
          {"linalg_ldl_factor_ex", singles(), ldl_solve(), {estimated}},
          {"linalg_ldl_solve", singles(), ldl_solve(), {estimated}},
          {"geqrf", singles(), applied_reflectors(), {estimated}},
          {"ormqr", singles(), applied_reflectors(), {estimated}},
          {"linalg_householder_product", singles(), householder_product(), {estimated}},
          {"linalg_cross", numerics(), cross(), {estimated}},
      });
}

}  // namespace neuroncheck
