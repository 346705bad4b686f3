#include "suites/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <cmath>

#include "generators/draft.h"
#include "harness/random.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

bool glob_matches(const std::string& glob, const std::string& name) { return ::fnmatch(glob.c_str(), name.c_str(), 0) == 0; }

// Compilers break between ops: programs of several are compiled in every dtype, whatever the suite leaves out. In-place and out= forms compile to
// what their functional form does, but for where it is written: half of the keys.
int compiled_keys_of(const Row& row, const Suite& suite) {
  constexpr int kOfPatterns = 2;
  if (has_tag(row, "pattern")) return std::max(suite.compiled_keys, std::min(kOfPatterns, suite.keys));
  return has_tag(row, "in_place") || has_tag(row, "out") ? (suite.compiled_keys + 1) / 2 : suite.compiled_keys;
}

std::vector<Path> chosen_paths(const Target& target, const RunSelection& selection) {
  for (const Path path : selection.paths) {
    if (std::find(target.paths.begin(), target.paths.end(), path) != target.paths.end()) continue;
    std::vector<std::string_view> names;
    for (const Path known : target.paths) names.push_back(name_of(known));
    throw UserError(fmt::format("--path {}: target {} has {}", name_of(path), target.name, fmt::join(names, ", ")));
  }
  return selection.paths.empty() ? target.paths : selection.paths;
}

std::vector<Path> paths_of(const Row& row, const std::vector<Path>& chosen) {
  std::vector<Path> paths;
  for (const Path path : chosen) {
    if (row.invalid && path != Path::eager) continue;
    if (is_compiled(path) && !row.compiles) continue;
    if (is_backward(path) && !row.differentiable) continue;
    paths.push_back(path);
  }
  return paths;
}

bool wanted(const Row& row, const RunSelection& selection) {
  return selection.ops.empty() ||
         std::any_of(selection.ops.begin(), selection.ops.end(), [&](const std::string& glob) { return matches(row, glob); });
}

void check_globs(const RunSelection& selection) {
  for (const std::string& glob : selection.ops) {
    const std::vector<Row>& rows = catalogue();
    if (std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return matches(row, glob); })) continue;
    std::string like;
    for (const Row& row : rows) {
      if (row.name.find(glob) != std::string::npos && like.size() < 100) like += (like.empty() ? "" : ", ") + row.name;
    }
    throw UserError(
        fmt::format("--op {}: no row of the catalogue matches{}; `neuroncheck ops` lists them", glob, like.empty() ? "" : "; did you mean " + like));
  }
}

std::set<Dtype> chosen_dtypes(const Row& row, const RunSelection& selection) {
  std::set<Dtype> dtypes;
  for (const Dtype dtype : row.dtypes) {
    if (selection.dtypes.empty() || std::find(selection.dtypes.begin(), selection.dtypes.end(), dtype) != selection.dtypes.end())
      dtypes.insert(dtype);
  }
  return dtypes;
}

// Everything a case of the frozen lane depends on, and how many cases there are on which paths.
std::string fingerprint(const Suite& suite) {
  std::string text = fmt::format("{} keys {} compiled {} cases {} seed {} generators {}\n", suite.name, suite.keys, suite.compiled_keys, suite.cases,
                                 suite.seed, generators::kGeneratorsVersion);
  for (const Row* row : rows_of(suite)) {
    text += fmt::format("{} {} {} {}", row->name, row->differentiable, row->compiles, compiled_keys_of(*row, suite));
    for (const Dtype dtype : row->dtypes) text += fmt::format(" {}", name_of(dtype));
    if (!row->source.empty()) text += fmt::format(" {}", row->source);
    text += '\n';
  }
  return fmt::format("{:016x}", hash_of(text));
}

}  // namespace

// A row answers to its name, to its op with and without "aten::", and to the op's name without overload and leading underscores: "softmax".
bool matches(const Row& row, const std::string& glob) {
  const std::string name = row.op.substr(row.op.find("::") + 2), base = name.substr(0, name.find('.'));
  const std::string plain = base.substr(std::min(base.find_first_not_of('_'), base.size()));
  return glob_matches(glob, row.name) || glob_matches(glob, row.op) || glob_matches(glob, name) || glob_matches(glob, base) ||
         glob_matches(glob, plain);
}

Plan make_plan(const Target& target, const Suite& suite, const RunSelection& selection) {
  check_globs(selection);
  const std::vector<Path> chosen = chosen_paths(target, selection);
  Plan plan;
  plan.target = target.name;
  plan.simulated = target.simulated;
  plan.suite = suite.name;
  plan.suite_fingerprint = fingerprint(suite);
  plan.keys = suite.keys;
  plan.shard = selection.shard;
  plan.shards = selection.shards;
  int number = 0;
  for (const Row* row : rows_of(suite)) {
    if (!wanted(*row, selection)) continue;
    if (number++ % selection.shards != selection.shard) continue;
    PlanItem item;
    item.row = row->name;
    item.op = row->op;
    item.family = row->family;
    item.dtypes = row->dtypes;
    item.selected_dtypes = chosen_dtypes(*row, selection);
    item.paths = paths_of(*row, chosen);
    item.differentiable = row->differentiable;
    item.crash_prone = row->invalid;
    item.keys = keys_of(*row, suite.keys);
    item.compiled_keys = compiled_keys_of(*row, suite);
    item.count = selection.cases.value_or(suite.cases);
    if (row->slots > 0) {  // no further value sets
      item.compiled_keys = std::min(item.compiled_keys, item.keys);
      item.count = std::min(item.count, std::ssize(row->dtypes) * item.keys);
    }
    if (!item.paths.empty() && !item.selected_dtypes.empty()) plan.items.push_back(std::move(item));
  }
  if (plan.items.empty() && selection.shards == 1) throw UserError("nothing is left to run: the chosen ops, dtypes and paths have no row in common");
  return plan;
}

double parse_duration_s(const std::string& text) {
  std::size_t used = 0;
  double value = 0.0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string unit = text.substr(used);
  const double factor = unit.empty() || unit == "s" ? 1.0 : unit == "m" ? 60.0 : unit == "h" ? 3600.0 : 0.0;
  if (used == 0 || factor == 0.0 || !(value > 0.0) || std::isinf(value)) throw UserError(fmt::format("'{}' is no duration: 90s, 5m or 2h", text));
  return value * factor;
}

}  // namespace neuroncheck
