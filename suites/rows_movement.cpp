#include "generators/movement.h"

#include "generators/rearrangements.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

using generators::Form;
using enum Trait;

std::vector<RowLine> moves() {
  return {
      {"view", everything(), generators::view(), {differentiable}},
      {"view/trajectory", floats(), generators::view_trajectory(), {trajectory}},
      {"permute", everything(), generators::permute(), {differentiable}},
      {"slice.Tensor", everything(), generators::slice(), {differentiable}},
      {"cat", everything(), generators::cat(), {differentiable}},
      {"cat.out", numerics(), generators::cat(Form::out), {out}},
      {"cat/trajectory", floats(), generators::cat_trajectory(), {trajectory}},
      {"expand", everything(), generators::expand(), {differentiable}},
      {"copy", everything(), generators::copy()},
      {"copy_", everything(), generators::copy(Form::in_place), {in_place}},
      {"_to_copy", everything(), generators::to_copy()},
      {"constant_pad_nd", everything(), generators::constant_pad(), {differentiable}},
  };
}

std::vector<RowLine> rearrangements() {
  return {
      {"block_diag", everything(), generators::block_diag(), {differentiable}},
      {"channel_shuffle", everything(), generators::channel_shuffle(), {differentiable}},
      {"_chunk_cat", everything(), generators::chunk_cat()},
      {"diag_embed", everything(), generators::diag_embed(), {differentiable}},
      {"flip", everything(), generators::flip(), {differentiable}},
      {"flip.out", numerics(), generators::flip(Form::out), {out}},
      {"one_hot", {Dtype::int64}, generators::one_hot()},
      {"pixel_shuffle", everything(), generators::pixel_shuffle(), {differentiable}},
      {"pixel_unshuffle", everything(), generators::pixel_unshuffle(), {differentiable}},
      {"repeat", everything(), generators::repeat(), {differentiable}},
      {"repeat_interleave.Tensor", {Dtype::int64, Dtype::int32}, generators::repeat_interleave()},
      {"roll", everything(), generators::roll(), {differentiable}},
      {"rot90", everything(), generators::rot90(), {differentiable}},
      {"stack", everything(), generators::stack(), {differentiable}},
      {"stack.out", numerics(), generators::stack(Form::out), {out}},
      {"tril", everything(), generators::triangle(), {differentiable}},
      {"tril.out", numerics(), generators::triangle(Form::out), {out}},
      {"tril_", everything(), generators::triangle(Form::in_place), {in_place}},
      {"triu", everything(), generators::triangle(), {differentiable}},
      {"triu.out", numerics(), generators::triangle(Form::out), {out}},
      {"triu_", everything(), generators::triangle(Form::in_place), {in_place}},
  };
}

std::vector<RowLine> scatters_of_views() {
  return {
      {"as_strided_scatter", everything(), generators::as_strided_scatter(), {differentiable}},
      {"diagonal_backward", everything(), generators::diagonal_backward(), {differentiable}},
      {"diagonal_scatter", everything(), generators::diagonal_scatter(), {differentiable}},
      {"select_backward", everything(), generators::select_backward(), {differentiable}},
      {"select_scatter", everything(), generators::select_scatter(), {differentiable}},
      {"slice_backward", everything(), generators::slice_backward(), {differentiable}},
      {"slice_scatter", everything(), generators::slice_scatter(), {differentiable}},
      {"unfold_backward", everything(), generators::unfold_backward(), {differentiable}},
      {"value_selecting_reduction_backward", everything(), generators::value_selecting_backward()},
  };
}

}  // namespace

std::vector<Row> movement_rows() {
  std::vector<RowLine> lines = moves();
  for (const auto part : {rearrangements, scatters_of_views}) {
    for (RowLine& line : part()) lines.push_back(std::move(line));
  }
  return rows_of("movement", lines);
}

}  // namespace neuroncheck
