// Ready cases: captured elsewhere and kept in a folder, an index and a file of cases per row. OpInfo samples are such (opinfo.py).
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "generators/draft.h"
#include "harness/dtype.h"

namespace neuroncheck::generators {

struct ReadyRow {
  std::string row;
  std::string op;      // "opinfo::nn.functional.conv2d"
  std::string file;    // in the folder: {"float32": [case, ...], ...}
  std::string digest;  // of its cases
  std::vector<Dtype> dtypes;
  int cases = 0;                // of the dtype that has most
  bool differentiable = false;  // every floating case takes gradients
  bool invalid = false;
  bool compiles = true;
};

struct NotCaptured {
  std::string op;
  std::string reason;
};

struct ReadyIndex {
  std::string source;  // opinfo, schema
  std::vector<ReadyRow> rows;
  std::vector<NotCaptured> missing;
};

// Throws UserError naming file and key.
ReadyIndex load_ready_index(const std::filesystem::path& folder);

// The drafts of one row: slot s of a dtype is its case number s. The file is read when the first one is drawn.
using ReadyDraw = std::function<Draft(const DrawRequest&)>;
ReadyDraw ready_draw(const std::filesystem::path& folder, const ReadyRow& row);

}  // namespace neuroncheck::generators
