#include "generators/creation.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

using generators::Ends, generators::Form, generators::Numbers, generators::Value;
using enum Trait;

std::vector<RowLine> sequences() {
  return {
      {"arange", numerics(), generators::arange(Numbers::end)},
      {"arange.start", numerics(), generators::arange(Numbers::start)},
      {"arange.start_step", numerics(), generators::arange(Numbers::step)},
      {"arange.start_out", numerics(), generators::arange(Numbers::step, Form::out), {out}},
      {"linspace", numerics(), generators::linspace(Ends::numbers)},
      {"linspace.Scalar_Tensor", numerics(), generators::linspace(Ends::tensor_end)},
      {"linspace.Tensor_Scalar", numerics(), generators::linspace(Ends::tensor_start)},
      {"linspace.Tensor_Tensor", numerics(), generators::linspace(Ends::tensors)},
      // Of integers no device is certain: a power a hair below one is cut down to the integer before.
      {"logspace", floats(), generators::logspace(Ends::numbers)},
      {"logspace.Scalar_Tensor", floats(), generators::logspace(Ends::tensor_end)},
      {"logspace.Tensor_Scalar", floats(), generators::logspace(Ends::tensor_start)},
      {"logspace.Tensor_Tensor", floats(), generators::logspace(Ends::tensors)},
      {"eye", everything(), generators::eye(1)},
      {"eye.m", everything(), generators::eye(2)},
      {"eye.out", numerics(), generators::eye(1, Form::out), {out}},
      {"eye.m_out", numerics(), generators::eye(2, Form::out), {out}},
      {"tril_indices", {Dtype::int64, Dtype::int32}, generators::triangle_indices()},
      {"triu_indices", {Dtype::int64, Dtype::int32}, generators::triangle_indices()},
      {"scalar_tensor", everything(), generators::scalar_tensor()},
  };
}

std::vector<RowLine> fills() {
  return {
      {"fill.Scalar", everything(), generators::fill(Value::given), {differentiable}},
      {"fill_.Scalar", everything(), generators::fill(Value::given, Form::in_place), {in_place}},
      {"fill_.Tensor", everything(), generators::fill_with_tensor(), {in_place}},
      {"full", everything(), generators::filled(Value::given)},
      {"full.out", numerics(), generators::filled(Value::given, Form::out), {out}},
      {"full_like", everything(), generators::filled_like(Value::given)},
      {"new_full", everything(), generators::new_filled(Value::given)},
      {"ones", everything(), generators::filled(Value::none)},
      {"ones.out", numerics(), generators::filled(Value::none, Form::out), {out}},
      {"ones_like", everything(), generators::filled_like(Value::none)},
      {"new_ones", everything(), generators::new_filled(Value::none)},
      {"zeros", everything(), generators::filled(Value::none)},
      {"zeros.out", numerics(), generators::filled(Value::none, Form::out), {out}},
      {"zeros_like", everything(), generators::filled_like(Value::none)},
      {"new_zeros", everything(), generators::new_filled(Value::none)},
      {"zero_", everything(), generators::fill(Value::none, Form::in_place), {in_place}},
  };
}

std::vector<RowLine> storage() {
  return {
      {"empty.memory_format", everything(), generators::empty(), {structural}},
      {"empty_like", everything(), generators::filled_like(Value::none), {structural}},
      {"empty_permuted", everything(), generators::empty_permuted(), {structural}},
      {"empty_strided", everything(), generators::empty_strided(), {structural}},
      {"new_empty", everything(), generators::new_filled(Value::none), {structural}},
      {"new_empty_strided", everything(), generators::new_empty_strided(), {structural}},
      {"resize_", everything(), generators::resize(), {in_place, eager_only}},
      {"resize_as_", everything(), generators::resize_as(), {in_place, eager_only}},
      {"set_", everything(), generators::set_to_nothing(), {in_place, eager_only}},
  };
}

}  // namespace

std::vector<Row> creation_rows() {
  std::vector<RowLine> lines = sequences();
  for (const auto part : {fills, storage}) {
    for (RowLine& line : part()) lines.push_back(std::move(line));
  }
  return rows_of("creation", lines);
}

}  // namespace neuroncheck
