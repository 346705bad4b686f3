#include <algorithm>
#include <map>
#include <unordered_map>

#include "generators/shapes.h"
#include "harness/random.h"
#include "suites/row.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

bool is_another_kind(const Row& row) { return row.invalid || has_tag(row, "sweep"); }

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const auto family : {
           elementwise_rows, step_rows,     comparison_rows, function_rows, activation_rows, reduction_rows,  matmul_rows,        convolution_rows,
           indexing_rows,    movement_rows, view_rows,       creation_rows, random_rows,     statistics_rows, normalisation_rows, pooling_rows,
           padding_rows,     losses_rows,   backward_rows,   scatter_rows,  ordering_rows,   lists_rows,      special_rows,       linalg_rows,
           complex_rows,     sweep_rows,    query_rows,      pattern_rows,  invalid_rows,
       }) {
    for (Row& row : family()) {
      rows.push_back(std::move(row));
    }
  }
  // Invalid arguments and sweeps are no family of operators: such a row belongs to its operator's.
  std::map<std::string, std::string> families;
  for (const Row& row : rows) {
    if (!is_another_kind(row)) families.emplace(row.op, row.family);
  }
  for (Row& row : rows) {
    const auto own = is_another_kind(row) ? families.find(row.op) : families.end();
    if (own != families.end()) row.family = own->second;
  }
  return rows;
}

std::vector<Row>& rows_of_this_process() {
  static std::vector<Row> rows = all_rows();
  return rows;
}

}  // namespace

bool has_tag(const Row& row, std::string_view tag) { return std::find(row.tags.begin(), row.tags.end(), tag) != row.tags.end(); }

const std::vector<Row>& catalogue() { return rows_of_this_process(); }

void add_row(Row row) { rows_of_this_process().push_back(std::move(row)); }

const Row* find_row(const std::string& name) {
  static std::unordered_map<std::string, std::size_t> numbers;
  const std::vector<Row>& rows = catalogue();
  for (std::size_t i = numbers.size(); i < rows.size(); ++i) numbers.emplace(rows[i].name, i);
  const auto found = numbers.find(name);
  return found == numbers.end() ? nullptr : &rows[found->second];
}

Drawn draw(const Row& row, std::uint64_t run_seed, std::int64_t n, int keys) {
  const auto dtypes = static_cast<std::int64_t>(row.dtypes.size());
  const Dtype dtype = row.dtypes[static_cast<std::size_t>(n % dtypes)];
  const int slot = static_cast<int>((n / dtypes) % keys_of(row, keys));
  const std::uint64_t row_seed = hash_of(row.name, run_seed);
  const rc::Random random(mix(mix(row_seed, static_cast<std::uint64_t>(dtype)), static_cast<std::uint64_t>(slot)));
  const generators::Draft draft = row.generator({.dtype = dtype, .slot = slot})(random, generators::size_of_slot(slot)).value();
  return {generators::with_values(draft, mix(row_seed, static_cast<std::uint64_t>(n))), dtype};
}

}  // namespace neuroncheck
