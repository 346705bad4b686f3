#include "generators/random_values.h"

#include "generators/creation.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

using generators::Limits;
using enum Trait;

std::vector<RowLine> written() {
  return {
      {"bernoulli_.float", everything(), generators::bernoulli_in_place(), {in_place}},
      {"cauchy_", floats(), generators::location_scale(), {in_place}},
      {"exponential_", floats(), generators::exponential(), {in_place}},
      {"geometric_", numerics(), generators::geometric(), {in_place}},
      {"log_normal_", floats(), generators::log_normal(), {in_place}},
      {"normal_", floats(), generators::location_scale(), {in_place}},
      {"uniform_", floats(), generators::uniform(), {in_place}},
  };
}

std::vector<RowLine> made() {
  return {
      {"bernoulli", floats(), generators::bernoulli()},
      {"multinomial", floats(), generators::multinomial()},
      {"native_dropout", floats(), generators::native_dropout()},
      {"normal.Tensor_Tensor", floats(), generators::normal_of_tensors()},
      {"normal.Tensor_float", floats(), generators::normal_of_means()},
      {"normal.float_float", floats(), generators::normal_of_numbers()},
      {"rand", floats(), generators::filled(generators::Value::none)},
      {"randint", everything(), generators::random_integers(Limits::high)},
      {"randint.low", everything(), generators::random_integers(Limits::both)},
      {"randint_like", everything(), generators::random_integers_like(Limits::high)},
      {"randint_like.low_dtype", everything(), generators::random_integers_like(Limits::both)},
      {"randn", floats(), generators::filled(generators::Value::none)},
      {"rrelu_with_noise", without(floats(), {Dtype::float16}), generators::rrelu()},
      {"randn_like", floats(), generators::random_like()},
      {"randperm", numerics(), generators::permutation()},
  };
}

}  // namespace

// Until there is a statistical oracle, values are judged by their range alone, and where every number is possible not at all.
std::vector<Row> random_rows() {
  std::vector<RowLine> lines = written();
  for (RowLine& line : made()) lines.push_back(std::move(line));
  for (RowLine& line : lines) line.traits.push_back(structural);
  return rows_of("random", lines);
}

}  // namespace neuroncheck
