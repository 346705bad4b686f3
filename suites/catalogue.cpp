#include <algorithm>

#include "generators/shapes.h"
#include "harness/random.h"
#include "suites/row.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const auto family : {
           elementwise_rows,   step_rows,     comparison_rows, function_rows, activation_rows, reduction_rows, matmul_rows,
           convolution_rows,   indexing_rows, movement_rows,   view_rows,     creation_rows,   random_rows,    statistics_rows,
           normalisation_rows, pooling_rows,  padding_rows,    losses_rows,   backward_rows,   scatter_rows,   ordering_rows,
           lists_rows,         special_rows,  linalg_rows,     complex_rows,  sweep_rows,      pattern_rows,   invalid_rows,
       }) {
    for (Row& row : family()) {
      rows.push_back(std::move(row));
    }
  }
  // Invalid arguments are no family of operators: such a row belongs to its operator's.
  for (Row& row : rows) {
    const auto own = [&](const Row& other) { return !other.invalid && other.op == row.op; };
    const auto found = std::find_if(rows.begin(), rows.end(), own);
    if (row.invalid && found != rows.end()) row.family = found->family;
  }
  return rows;
}

}  // namespace

const std::vector<Row>& catalogue() {
  static const std::vector<Row> rows = all_rows();
  return rows;
}

const Row* find_row(const std::string& name) {
  const auto found = std::find_if(catalogue().begin(), catalogue().end(), [&](const Row& row) { return row.name == name; });
  return found == catalogue().end() ? nullptr : &*found;
}

Drawn draw(const Row& row, std::uint64_t run_seed, std::int64_t n, int keys) {
  const auto dtypes = static_cast<std::int64_t>(row.dtypes.size());
  const Dtype dtype = row.dtypes[static_cast<std::size_t>(n % dtypes)];
  const int slot = static_cast<int>((n / dtypes) % keys);
  const std::uint64_t row_seed = hash_of(row.name, run_seed);
  const rc::Random random(mix(mix(row_seed, static_cast<std::uint64_t>(dtype)), static_cast<std::uint64_t>(slot)));
  const generators::Draft draft = row.generator({.dtype = dtype, .slot = slot})(random, generators::size_of_slot(slot)).value();
  return {generators::with_values(draft, mix(row_seed, static_cast<std::uint64_t>(n))), dtype};
}

}  // namespace neuroncheck
