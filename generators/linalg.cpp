#include "generators/linalg.h"

namespace neuroncheck::generators {
namespace {

constexpr std::int64_t kLargest = 33;  // the reference factorises each matrix nine times

struct Shape {
  Sizes batch;  // none or one dimension
  std::int64_t rows = 1, columns = 1;

  Sizes of(std::int64_t height, std::int64_t width) const {
    Sizes sizes = batch;
    sizes.push_back(height);
    sizes.push_back(width);
    return sizes;
  }
};

std::int64_t draw_size(DraftBuilder& build) { return build.edge() == Edge::scalar ? 1 : boundary_size(build.pick(), kLargest); }

Shape draw_shape(DraftBuilder& build, MatrixKind kind) {
  Shape shape;
  if (build.edge() == Edge::empty || build.pick().chance(40)) shape.batch.push_back(build.pick().between(1, 3));
  shape.rows = draw_size(build);
  shape.columns = kind == MatrixKind::general ? draw_size(build) : shape.rows;
  if (build.edge() == Edge::empty) shape.batch[0] = 0;
  return shape;
}

// Not singular but by bad luck.
Fills entries() { return {fill_of(FillKind::normal), between(-1, 1)}; }

// Repeated rows would make it singular.
ValueRef independent(DraftBuilder& build, const Sizes& sizes) {
  return made_contiguous(build, build.input(sizes, entries()), {LayoutKind::expanded});
}

ValueRef transposed(DraftBuilder& build, ValueRef matrix) { return build.call("aten::transpose.int", arguments(matrix, -2, -1)); }

ValueRef times(DraftBuilder& build, const Shape& shape, ValueRef left, ValueRef right) {
  return build.call(shape.batch.empty() ? "aten::mm" : "aten::bmm", arguments(left, right));
}

ValueRef matrix(DraftBuilder& build, const Shape& shape, MatrixKind kind) {
  if (kind == MatrixKind::general || kind == MatrixKind::square) return independent(build, shape.of(shape.rows, shape.columns));
  if (kind == MatrixKind::symmetric) {
    const ValueRef x = independent(build, shape.of(shape.rows, shape.rows));
    return build.call("aten::add.Tensor", arguments(x, transposed(build, x)));
  }
  // X X^T with twice as many columns: its condition number is about 34 whatever the size (Marchenko and Pastur).
  const ValueRef x = independent(build, shape.of(shape.rows, 2 * shape.rows + 1));
  const ValueRef product = times(build, shape, x, transposed(build, x));
  return kind == MatrixKind::definite ? product : build.call("aten::tril", arguments(product, 0));
}

ValueRef right_side(DraftBuilder& build, const Shape& shape) { return build.input(shape.of(shape.rows, build.pick().between(1, 5)), entries()); }

ValueRef output(ValueRef node, int index) { return {node.node, index}; }

// V diag(values): each column times its value.
ValueRef scaled_columns(DraftBuilder& build, ValueRef vectors, ValueRef values) {
  return build.call("aten::mul.Tensor", arguments(vectors, build.call("aten::unsqueeze", arguments(values, -2))));
}

}  // namespace

Recipe of_matrix(MatrixKind kind, std::vector<ArgumentList> further, int outputs) {
  return [=](DraftBuilder& build) {
    const Shape shape = draw_shape(build, kind);
    build.returns(build.call(joined(arguments(matrix(build, shape, kind)), one_of(build, further))), outputs);
  };
}

Recipe solving(MatrixKind kind, std::vector<ArgumentList> further, int outputs) {
  return [=](DraftBuilder& build) {
    const Shape shape = draw_shape(build, kind);
    const ValueRef a = matrix(build, shape, kind), b = right_side(build, shape);
    build.returns(build.call(joined(arguments(a, b), one_of(build, further))), outputs);
  };
}

Recipe solving_right(MatrixKind kind, std::vector<ArgumentList> further, int outputs) {
  return [=](DraftBuilder& build) {
    const Shape shape = draw_shape(build, kind);
    const ValueRef b = right_side(build, shape), a = matrix(build, shape, kind);
    build.returns(build.call(joined(arguments(b, a), one_of(build, further))), outputs);
  };
}

Recipe qr_product() {
  return [](DraftBuilder& build) {
    const Shape shape = draw_shape(build, MatrixKind::general);
    const ValueRef qr = build.call(arguments(matrix(build, shape, MatrixKind::general), build.pick().chance(50) ? "reduced" : "complete"));
    build.returns(times(build, shape, output(qr, 0), output(qr, 1)));
  };
}

Recipe svd_product() {
  return [](DraftBuilder& build) {
    const Shape shape = draw_shape(build, MatrixKind::general);
    const ValueRef svd = build.call(arguments(matrix(build, shape, MatrixKind::general), false, true, none()));
    build.returns(output(svd, 1));
    build.returns(times(build, shape, scaled_columns(build, output(svd, 0), output(svd, 1)), output(svd, 2)));
  };
}

Recipe eigh_product() {
  return [](DraftBuilder& build) {
    const Shape shape = draw_shape(build, MatrixKind::symmetric);
    const ValueRef eigh = build.call(arguments(matrix(build, shape, MatrixKind::symmetric), build.pick().chance(50) ? "L" : "U", true));
    build.returns(output(eigh, 0));
    build.returns(times(build, shape, scaled_columns(build, output(eigh, 1), output(eigh, 0)), transposed(build, output(eigh, 1))));
  };
}

// Of symmetric matrices and of antisymmetric ones, whose eigenvalues are imaginary: both have orthogonal eigenvectors.
Recipe eig_product() {
  return [](DraftBuilder& build) {
    const Shape shape = draw_shape(build, MatrixKind::square);
    const ValueRef x = independent(build, shape.of(shape.rows, shape.rows));
    const ValueRef normal = build.call(build.pick().chance(30) ? "aten::add.Tensor" : "aten::sub.Tensor", arguments(x, transposed(build, x)));
    const ValueRef eig = build.call(arguments(normal));
    const ValueRef adjoint = build.call("aten::conj_physical", arguments(transposed(build, output(eig, 1))));
    build.returns(build.call("aten::view_as_real", arguments(times(build, shape, scaled_columns(build, output(eig, 1), output(eig, 0)), adjoint))));
  };
}

Recipe lu_product() {
  return [](DraftBuilder& build) {
    const Shape shape = draw_shape(build, MatrixKind::general);
    const ValueRef lu = build.call(arguments(matrix(build, shape, MatrixKind::general), true));
    build.returns(times(build, shape, output(lu, 0), times(build, shape, output(lu, 1), output(lu, 2))));
  };
}

Recipe unpacked_product() {
  return [](DraftBuilder& build) {
    const Shape shape = draw_shape(build, MatrixKind::general);
    const ValueRef factors = build.call("aten::linalg_lu_factor_ex", arguments(matrix(build, shape, MatrixKind::general), true, false));
    const ValueRef lu = build.call("aten::lu_unpack", arguments(factors, output(factors, 1), true, true));
    build.returns(times(build, shape, output(lu, 0), times(build, shape, output(lu, 1), output(lu, 2))));
  };
}

Recipe lu_solve() {
  return [](DraftBuilder& build) {
    const Shape shape = draw_shape(build, MatrixKind::square);
    const ValueRef factors = build.call("aten::linalg_lu_factor_ex", arguments(matrix(build, shape, MatrixKind::square), true, false));
    build.returns(build.call(arguments(factors, output(factors, 1), right_side(build, shape), true, build.pick().chance(50))));
  };
}

Recipe ldl_solve() {
  return [](DraftBuilder& build) {
    const Shape shape = draw_shape(build, MatrixKind::symmetric);
    const ValueRef factors = build.call("aten::linalg_ldl_factor_ex", arguments(matrix(build, shape, MatrixKind::symmetric), false, false));
    build.returns(build.call("aten::linalg_ldl_solve", arguments(factors, output(factors, 1), right_side(build, shape), false)));
  };
}

Recipe householder_product() {
  return [](DraftBuilder& build) {
    Shape shape = draw_shape(build, MatrixKind::general);
    if (shape.columns > shape.rows) std::swap(shape.rows, shape.columns);
    const ValueRef reflectors = build.call("aten::geqrf", arguments(matrix(build, shape, MatrixKind::general)));
    const ValueRef q = build.call("aten::linalg_householder_product", arguments(reflectors, output(reflectors, 1)));
    // The upper triangle of the first `columns` rows is R.
    const ValueRef top = build.call("aten::slice.Tensor", arguments(reflectors, -2, 0, shape.columns, 1));
    build.returns(times(build, shape, q, build.call("aten::triu", arguments(top, 0))));
  };
}

Recipe applied_reflectors() {
  return [](DraftBuilder& build) {
    const Shape shape = draw_shape(build, MatrixKind::square);
    const ValueRef reflectors = build.call("aten::geqrf", arguments(matrix(build, shape, MatrixKind::square)));
    // Q R again, with R the upper triangle.
    const ValueRef r = build.call("aten::triu", arguments(reflectors, 0));
    build.returns(build.call("aten::ormqr", arguments(reflectors, output(reflectors, 1), r, true, false)));
  };
}

Recipe cross() {
  return [](DraftBuilder& build) {
    Sizes sizes = build.edge() == Edge::empty ? Sizes{0} : build.pick().chance(50) ? Sizes{} : Sizes{boundary_size(build.pick(), 65)};
    const std::int64_t at = build.pick().below(static_cast<std::int64_t>(sizes.size()) + 1);
    sizes.insert(sizes.begin() + at, 3);
    const std::int64_t dim = build.pick().chance(50) ? at : at - static_cast<std::int64_t>(sizes.size());
    const Fills choices = factors(build.dtype(), 2);
    const ValueRef left = build.input(sizes, choices), right = build.input(sizes, choices);
    build.returns(build.call(arguments(left, right, dim)));
  };
}

}  // namespace neuroncheck::generators
