#include "generators/alignments.h"
#include "generators/losses.h"
#include "suites/rows.h"

namespace neuroncheck {

using generators::arguments, generators::Classes, generators::Form, generators::Lengths, generators::LossOf;
using enum Trait;

// A composite that falls back in parts: what a device that demotes float64 hands to the host in between is not known to the reference, so that
// binary_cross_entropy_with_logits has no float64.
std::vector<Row> losses_rows() {
  const Dtypes wide = {Dtype::float32, Dtype::float64};
  const std::vector<ArgumentList> widths = {arguments(1.0), arguments(0.5), arguments(2.0)};
  return rows_of(
      "loss",
      {
          {"mse_loss", floats(), generators::loss(LossOf::numbers), {differentiable}},
          {"mse_loss_backward", floats(), generators::loss_gradient(LossOf::numbers)},
          {"smooth_l1_loss", floats(), generators::loss(LossOf::numbers, widths), {differentiable}},
          {"smooth_l1_loss_backward", floats(), generators::loss_gradient(LossOf::numbers, widths)},
          {"huber_loss", floats(), generators::loss(LossOf::numbers, widths), {differentiable}},
          {"huber_loss_backward", floats(), generators::loss_gradient(LossOf::numbers, widths)},
          {"binary_cross_entropy", floats(), generators::binary_cross_entropy()},
          {"binary_cross_entropy_backward", floats(), generators::binary_cross_entropy_gradient()},
          {"binary_cross_entropy_with_logits", without(floats(), {Dtype::float64}), generators::cross_entropy_with_logits(), {differentiable}},
          {"soft_margin_loss", floats(), generators::loss(LossOf::signs), {differentiable}},
          {"soft_margin_loss_backward", floats(), generators::loss_gradient(LossOf::signs)},
          {"nll_loss_forward", floats(), generators::nll(Classes::of_rows), {differentiable}},
          {"nll_loss_forward.output", floats(), generators::nll(Classes::of_rows, Form::out), {out}},
          {"nll_loss_backward", floats(), generators::nll_gradient(Classes::of_rows)},
          {"nll_loss_backward.grad_input", floats(), generators::nll_gradient(Classes::of_rows, Form::out), {out}},
          {"nll_loss2d_forward", floats(), generators::nll(Classes::of_images), {differentiable}},
          {"nll_loss2d_backward", floats(), generators::nll_gradient(Classes::of_images)},
          {"multi_margin_loss", wide, generators::multi_margin(), {differentiable}},
          {"multi_margin_loss_backward", wide, generators::multi_margin_gradient()},
          {"multilabel_margin_loss_forward", wide, generators::multilabel_margin(), {differentiable}},
          {"multilabel_margin_loss_backward", wide, generators::multilabel_margin_gradient()},
          {"_ctc_loss", wide, generators::ctc_loss(Lengths::lists), {estimated}},
          {"_ctc_loss.Tensor", wide, generators::ctc_loss(Lengths::tensors), {estimated}},
          {"_ctc_loss_backward", wide, generators::ctc_loss_gradient(Lengths::lists), {estimated}},
          {"_ctc_loss_backward.Tensor", wide, generators::ctc_loss_gradient(Lengths::tensors), {estimated}},
      });
}

}  // namespace neuroncheck
