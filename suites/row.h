// One line of the catalogue.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/draft.h"
#include "harness/bounded.h"
#include "harness/observation.h"

namespace neuroncheck {

using RowGenerator = std::function<rc::Gen<generators::Draft>(const generators::DrawRequest&)>;

struct Row {
  std::string name;  // stable; seeds come from it
  std::string op;    // "aten::add.Tensor", or "pattern::..." for programs of several nodes
  std::string family;
  std::vector<Dtype> dtypes;
  RowGenerator generator;
  bool differentiable = false;  // floating cases also take gradients
  bool invalid = false;         // the reference is expected to raise
  bool compiles = true;         // may be compiled at all
  Strength strength = Strength::rigorous;
  std::function<bool(const Case&)> admits;  // may a shrunk case stand for the row? Empty: any
  int slots = 0;                            // how many structures there are of each dtype; 0: any number
  std::string source;                       // hash of the file that it comes from; empty: the tree
  std::vector<std::string> tags;            // trajectory, in_place, out, ...
};

bool has_tag(const Row& row, std::string_view tag);

const std::vector<Row>& catalogue();  // all families, concatenated in catalogue.cpp
const Row* find_row(const std::string& name);
void add_row(Row row);  // one from a file: before anything is planned or drawn

// Compile keys per dtype: the suite's, but for rows whose structures are counted.
inline int keys_of(const Row& row, int suite_keys) { return row.slots > 0 ? row.slots : suite_keys; }

// Case `n` of a row: dtype n mod D, slot (n / D) mod keys, value set n / (D * keys). Depends on (run seed, row name, n) alone. `keys` is the suite's.
struct Drawn {
  Case test_case;
  Dtype dtype;
};
Drawn draw(const Row& row, std::uint64_t run_seed, std::int64_t n, int keys);

}  // namespace neuroncheck
