// What the catalogue says of one operator, tested or not: coverage is counted against these, not against what happened to run.
#pragma once

#include <string>
#include <vector>

#include "harness/bounded.h"

namespace neuroncheck {

struct CatalogueEntry {
  std::string op;
  std::string family;              // empty: no row
  std::vector<std::string> lists;  // core_aten, vendor_registered, opinfo, opinfo_samples
  int rows = 0;
  std::vector<Dtype> dtypes;               // of all its rows
  Strength strength = Strength::rigorous;  // the weakest of its rows
  bool gradients = false;
  bool compiled = false;
  std::string untestable;  // why there is no row

  bool missing() const { return rows == 0 && untestable.empty(); }
};

}  // namespace neuroncheck
