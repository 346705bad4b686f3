// Recipes of linear algebra. Factorisations are not unique: their rows multiply the factors again and return the products, whose value is the matrix.
#pragma once

#include "generators/forms.h"

namespace neuroncheck::generators {

// (A, further...) with one matrix or a batch; `outputs` results are returned.
enum class MatrixKind : std::uint8_t { general, square, symmetric, definite, lower };
Recipe of_matrix(MatrixKind kind, std::vector<ArgumentList> further, int outputs = 1);
// (A, B, further...): B has as many rows as A has columns.
Recipe solving(MatrixKind kind, std::vector<ArgumentList> further, int outputs = 1);
// (B, A, further...): cholesky_solve, triangular_solve.
Recipe solving_right(MatrixKind kind, std::vector<ArgumentList> further, int outputs = 1);

// Q R of linalg_qr; U diag(S) V of _linalg_svd with S; V diag(L) V^T of _linalg_eigh with L; the parts of V diag(L) V^H of linalg_eig; P L U of
// linalg_lu.
Recipe qr_product();
Recipe svd_product();
Recipe eigh_product();
Recipe eig_product();
Recipe lu_product();
// geqrf, then linalg_householder_product or ormqr: Q R again.
Recipe householder_product();
Recipe applied_reflectors();
// linalg_lu_factor_ex, then lu_unpack: P L U again; and the solutions by linalg_lu_solve and linalg_ldl_solve.
Recipe unpacked_product();
Recipe lu_solve();
Recipe ldl_solve();
// (A, B, dim): vectors of three.
Recipe cross();

}  // namespace neuroncheck::generators
