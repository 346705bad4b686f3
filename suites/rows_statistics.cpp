#include "generators/distances.h"
#include "generators/reductions.h"
#include "generators/statistics.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

namespace g = generators;
using g::Form, g::OnEmpty;
using enum Trait;

std::vector<Row> whole_rows() {
  return rows_of("reduction", {
                                  {"sum", everything(), g::whole_typed(g::numbers), {differentiable}},
                                  {"mean", floats(), g::whole_typed(g::moderate), {differentiable}},
                                  {"mean.out", floats(), g::reduce_dims_typed(g::moderate, Form::out), {out}},
                                  {"mean.dtype_out", floats(), g::whole_typed(g::moderate, Form::out), {out}},
                                  {"prod", everything(), g::whole_product(), {differentiable}},
                                  {"nansum", everything(), g::reduce_dims_typed(g::numbers), {differentiable}},
                                  {"max", everything(), g::whole(g::ordered, OnEmpty::refuses), {differentiable}},
                                  {"max.unary_out", everything(), g::whole(g::ordered, OnEmpty::refuses, g::same, Form::out), {out}},
                                  {"min", everything(), g::whole(g::ordered, OnEmpty::refuses), {differentiable}},
                                  {"min.unary_out", everything(), g::whole(g::ordered, OnEmpty::refuses, g::same, Form::out), {out}},
                                  {"median", numerics(), g::whole(g::ordered, OnEmpty::refuses), {differentiable}},
                                  {"nanmedian", numerics(), g::whole(g::ordered, OnEmpty::refuses), {differentiable}},
                                  {"all", everything(), g::whole(g::truths, OnEmpty::identity, g::reduced_truth)},
                                  {"all.all_out", everything(), g::whole(g::truths, OnEmpty::identity, g::reduced_truth, Form::out), {out}},
                                  {"any", everything(), g::whole(g::truths, OnEmpty::identity, g::reduced_truth)},
                                  {"any.all_out", everything(), g::whole(g::truths, OnEmpty::identity, g::reduced_truth, Form::out), {out}},
                                  {"trace", numerics(), g::trace()},
                                  {"count_nonzero", everything(), g::count_along()},
                                  {"count_nonzero.dim_IntList", everything(), g::count_over_dims()},
                              });
}

std::vector<Row> order_rows() {
  return rows_of("reduction", {
                                  {"all.dim", everything(), g::any()},
                                  {"all.out", everything(), g::any(Form::out), {out}},
                                  {"all.dims", everything(), g::truth_over_dims()},
                                  {"any.out", everything(), g::any(Form::out), {out}},
                                  {"any.dims", everything(), g::truth_over_dims()},
                                  {"any.dims_out", everything(), g::truth_over_dims(Form::out), {out}},
                                  {"amin", everything(), g::reduce_dims(g::ordered), {differentiable}},
                                  {"amin.out", numerics(), g::reduce_dims(g::ordered, Form::out), {out}},
                                  {"aminmax", everything(), g::reduce_one_or_all(2), {differentiable}},
                                  {"argmin", numerics(), g::reduce_one_or_all()},
                                  {"max.dim_max", everything(), g::reduce_one(2, Form::out), {out}},
                                  {"min.dim", everything(), g::reduce_one(2), {differentiable}},
                                  {"min.dim_min", everything(), g::reduce_one(2, Form::out), {out}},
                                  {"median.dim", numerics(), g::median_along(g::ordered)},
                                  {"median.dim/distinct", {Dtype::float32, Dtype::float64}, g::median_along(g::all_different), {differentiable}},
                                  {"nanmedian.dim", numerics(), g::median_along(g::ordered)},
                                  {"nanmedian.dim/distinct", {Dtype::float32, Dtype::float64}, g::median_along(g::all_different), {differentiable}},
                                  {"mode", everything(), g::mode()},
                                  {"kthvalue", numerics(), g::kth(g::ordered)},
                                  {"kthvalue/distinct", {Dtype::float32, Dtype::float64}, g::kth(g::all_different), {differentiable}},
                              });
}

std::vector<Row> moment_rows() {
  return rows_of("reduction", {
                                  {"var.dim", floats(), g::variance_unbiased(), {differentiable}},
                                  {"var_mean.correction", floats(), g::variance(2), {differentiable}},
                                  {"std.correction", floats(), g::variance(), {differentiable}},
                                  {"std_mean.correction", floats(), g::variance(2), {differentiable}},
                                  {"dist", floats(), g::distance(), {differentiable}},
                                  {"norm.ScalarOpt_dim", floats(), g::norm_over_dims(), {differentiable}},
                                  {"linalg_vector_norm", floats(), g::vector_norm(), {differentiable}},
                                  {"linalg_vector_norm.out", floats(), g::vector_norm(Form::out), {out}},
                                  {"renorm", floats(), g::renorm(), {differentiable}},
                              });
}

std::vector<Row> scan_rows() {
  return rows_of("reduction", {
                                  {"cummax", everything(), g::scan_plain(g::ordered, 2)},
                                  {"cummin", everything(), g::scan_plain(g::ordered, 2)},
                                  {"cumprod", everything(), g::cumulative_product(), {differentiable}},
                                  {"logcumsumexp", floats(), g::scan_plain(g::moderate, 1), {differentiable}},
                                  {"_safe_softmax", floats(), g::safe_softmax(), {differentiable}},
                              });
}

std::vector<Row> distance_rows() {
  const Dtypes wide = {Dtype::float32, Dtype::float64};
  return rows_of("reduction", {
                                  {"_cdist_forward", wide, g::cdist(), {differentiable}},
                                  {"_cdist_backward", wide, g::cdist_backward()},
                                  {"_pdist_forward", wide, g::pdist(), {differentiable}},
                                  {"_pdist_backward", wide, g::pdist_backward()},
                              });
}

}  // namespace

std::vector<Row> statistics_rows() {
  std::vector<Row> rows;
  for (const auto part : {whole_rows, order_rows, moment_rows, scan_rows, distance_rows}) {
    for (Row& row : part()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace neuroncheck
