// How the tables of rows are written: a line per row, a file per family.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "generators/draft_builder.h"
#include "suites/row.h"

namespace neuroncheck {

using Dtypes = std::vector<Dtype>;

// Sets of dtypes that plain CPU knows for an op; which one a row has was read off libtorch 2.13 and is checked by catalogue_validity_test.
Dtypes floats();      // float32, bfloat16, float16, float64
Dtypes numerics();    // and int64, int32, int8, uint8
Dtypes everything();  // and bool
Dtypes integers();    // int64, int32, int8, uint8, int16, bool
Dtypes without(Dtypes dtypes, std::initializer_list<Dtype> left_out);

// estimated, structural: how strong the reference's answer is when it is not rigorous; catalogue_validity_test holds rows to it.
// eager_only: Dynamo itself has no graph for it (results whose sizes depend on values).
// sweep: its one case per dtype holds every value there is.
// custom: an operator that a user brings; its arguments are drawn until plain CPU takes them.
enum class Trait : std::uint8_t { differentiable, invalid, in_place, out, trajectory, pattern, estimated, structural, eager_only, sweep, custom };

struct RowLine {
  std::string name;  // the op without "aten::" (a custom one with its namespace), and "/..." when the op has several rows; "pattern/..." for programs
                     // of several nodes
  Dtypes dtypes;
  generators::Recipe recipe;
  std::vector<Trait> traits = {};
};

std::vector<Row> rows_of(const std::string& family, const std::vector<RowLine>& lines);

std::vector<Row> elementwise_rows();
std::vector<Row> step_rows();
std::vector<Row> comparison_rows();
std::vector<Row> function_rows();
std::vector<Row> activation_rows();
std::vector<Row> reduction_rows();
std::vector<Row> matmul_rows();
std::vector<Row> convolution_rows();
std::vector<Row> indexing_rows();
std::vector<Row> movement_rows();
std::vector<Row> view_rows();
std::vector<Row> creation_rows();
std::vector<Row> random_rows();
std::vector<Row> statistics_rows();
std::vector<Row> normalisation_rows();
std::vector<Row> pooling_rows();
std::vector<Row> padding_rows();
std::vector<Row> losses_rows();
std::vector<Row> backward_rows();
std::vector<Row> scatter_rows();
std::vector<Row> ordering_rows();
std::vector<Row> lists_rows();
std::vector<Row> special_rows();
std::vector<Row> linalg_rows();
std::vector<Row> complex_rows();
std::vector<Row> sweep_rows();
std::vector<Row> query_rows();
std::vector<Row> pattern_rows();
std::vector<Row> invalid_rows();

}  // namespace neuroncheck
