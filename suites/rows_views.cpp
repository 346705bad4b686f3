#include "generators/movement.h"
#include "generators/views.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

using generators::Form;
using enum Trait;

std::vector<RowLine> views() {
  return {
      {"alias", everything(), generators::whole(), {differentiable}},
      {"as_strided", everything(), generators::as_strided(), {differentiable}},
      {"atleast_2d", everything(), generators::whole(), {differentiable}},
      {"contiguous", everything(), generators::contiguous(), {differentiable}},
      {"detach", everything(), generators::whole()},
      {"diagonal", everything(), generators::diagonal(), {differentiable}},
      {"lift_fresh", everything(), generators::whole(), {eager_only}},
      {"_reshape_alias", everything(), generators::reshape_alias(), {differentiable}},
      {"select.int", everything(), generators::select(), {differentiable}},
      {"set_.source_Tensor", everything(), generators::set_to_source(), {in_place}},
      {"split.Tensor", everything(), generators::split(), {differentiable}},
      {"split_with_sizes", everything(), generators::split_with_sizes(), {differentiable}},
      {"squeeze", everything(), generators::whole(), {differentiable}},
      {"squeeze.dim", everything(), generators::squeeze_dim(), {differentiable}},
      {"squeeze.dims", everything(), generators::squeeze_dims(), {differentiable}},
      {"squeeze_.dim", everything(), generators::squeeze_dim(Form::in_place), {in_place}},
      {"t", everything(), generators::whole(2), {differentiable}},
      {"transpose.int", everything(), generators::transpose(), {differentiable}},
      {"transpose_", everything(), generators::transpose(Form::in_place), {in_place}},
      {"unbind.int", everything(), generators::unbind(), {differentiable}},
      {"unfold", everything(), generators::unfold(), {differentiable}},
      {"unsqueeze", everything(), generators::unsqueeze(), {differentiable}},
      {"unsqueeze_", everything(), generators::unsqueeze(Form::in_place), {in_place}},
  };
}

// The same, each in memory of its own.
std::vector<RowLine> copies() {
  return {
      {"alias_copy", everything(), generators::whole(), {differentiable}},
      {"as_strided_copy", everything(), generators::as_strided(), {differentiable}},
      {"clone", everything(), generators::clone(), {differentiable}},
      {"diagonal_copy", everything(), generators::diagonal(), {differentiable}},
      {"expand_copy", everything(), generators::expand(), {differentiable}},
      {"narrow_copy", everything(), generators::narrow(), {differentiable}},
      {"permute_copy", everything(), generators::permute(), {differentiable}},
      {"split_with_sizes_copy", everything(), generators::split_with_sizes(), {differentiable}},
      {"squeeze_copy", everything(), generators::whole(), {differentiable}},
      {"squeeze_copy.dim", everything(), generators::squeeze_dim(), {differentiable}},
      {"t_copy", everything(), generators::whole(2), {differentiable}},
      {"transpose_copy.int", everything(), generators::transpose(), {differentiable}},
      {"unbind_copy.int", everything(), generators::unbind(), {differentiable}},
      {"unfold_copy", everything(), generators::unfold(), {differentiable}},
      {"unsafe_split.Tensor", everything(), generators::split(), {differentiable}},
      {"_unsafe_view", everything(), generators::view(), {differentiable}},
      {"unsqueeze_copy", everything(), generators::unsqueeze(), {differentiable}},
      {"view_copy", everything(), generators::view(), {differentiable}},
  };
}

}  // namespace

std::vector<Row> view_rows() {
  std::vector<RowLine> lines = views();
  for (RowLine& line : copies()) lines.push_back(std::move(line));
  return rows_of("views", lines);
}

}  // namespace neuroncheck
