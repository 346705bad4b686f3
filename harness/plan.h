// What a run will do, decided before it starts: the planned set. A run is complete when the done set equals it, else it is partial.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/record.h"

namespace neuroncheck {

// Cases first .. first + count - 1 of one row. Case n has dtype dtypes[n mod D].
struct PlanItem {
  std::string row;
  std::string op;
  std::string family;
  std::vector<Dtype> dtypes;        // of the row: all of them, whatever is selected, since n depends on them
  std::set<Dtype> selected_dtypes;  // cases of other dtypes are not part of the plan
  std::vector<Path> paths;          // selected and possible for this row
  bool differentiable = false;      // *_backward paths exist for floating dtypes, on the slots that take gradients
  bool crash_prone = false;         // invalid arguments: run before Python is started where the target allows
  int keys = 8;                     // compile keys per dtype: case n has slot (n / D) mod keys
  int compiled_keys = 8;            // how many of them are also compiled (compiling is the cost that matters): the first, fewer than 4 spread
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// Gradients are taken on half of the slots, so that compile keys stay bounded and the other half can hold non-finite values.
inline bool takes_gradients(int slot) { return slot % 2 == 0; }

// Is (item, n, path) part of the planned set?
bool is_planned(const PlanItem& item, std::int64_t n, Path path);

struct Plan {
  std::string target;
  bool simulated = false;
  std::string suite;
  std::string suite_fingerprint;  // rows, generators' version, keys: two runs compare only on the same one
  std::string lane = "frozen";    // frozen | exploring
  std::uint64_t seed = 0;
  int keys = 8;                              // compile keys per row x dtype
  std::string selection;                     // the filters as typed; empty: the whole suite
  std::string fault;                         // "name:severity"; empty: none
  std::map<std::string, std::string> build;  // versions and settings of the target, neuroncheck's commit, fault: the build's fingerprint
  std::string host;
  int jobs = 1;
  int shard = 0, shards = 1;
  std::string started;  // ISO 8601, UTC
  std::vector<PlanItem> items;
};

// What the plan alone says of one of its observations; nothing is judged yet.
Record planned_record(const PlanItem& item, std::int64_t n, Path path);

// Number of planned observations.
std::int64_t planned_count(const Plan& plan);

void to_json(nlohmann::json& json, const PlanItem& item);
void from_json(const nlohmann::json& json, PlanItem& item);
void to_json(nlohmann::json& json, const Plan& plan);
void from_json(const nlohmann::json& json, Plan& plan);

}  // namespace neuroncheck
