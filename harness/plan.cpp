#include "harness/plan.h"

#include <algorithm>
#include <array>

#include "harness/json_fields.h"
#include "harness/random.h"

namespace neuroncheck {
namespace {

// No key per dtype stands for one key of every third dtype; which ones, the row's name says, so that a family compiles all of them.
bool is_compiled_dtype(const PlanItem& item, std::int64_t dtype) {
  const auto every = std::min<std::int64_t>(3, std::ssize(item.dtypes));
  return item.compiled_keys > 0 || (dtype + static_cast<std::int64_t>(hash_of(item.row) % 3)) % every == 0;
}

// Which slots of a dtype are compiled. Fewer than four are spread: the first slots are 0-dim, empty and two general shapes; two keys are one of each,
// one key is another of the four for each dtype, and over its dtypes a row compiles all four.
bool is_compiled_slot(const PlanItem& item, std::int64_t dtype, int slot) {
  constexpr std::int64_t kFirst = 4;
  if (!is_compiled_dtype(item, dtype)) return false;
  if (item.compiled_keys >= kFirst || item.keys < kFirst) return slot < std::max(item.compiled_keys, 1);
  constexpr std::array<int, kFirst> kTurn = {0, 2, 1, 3};  // by distance from the dtype's first slot
  return slot < kFirst && kTurn.at(static_cast<std::size_t>((slot + 2 - dtype) & (kFirst - 1))) < std::max(item.compiled_keys, 1);
}

bool has_path(const PlanItem& item, std::int64_t n, Path path) {
  if (std::find(item.paths.begin(), item.paths.end(), path) == item.paths.end()) return false;
  const auto dtypes = static_cast<std::int64_t>(item.dtypes.size());
  const Dtype dtype = item.dtypes[static_cast<std::size_t>(n % dtypes)];
  if (!item.selected_dtypes.contains(dtype)) return false;
  const auto slot = static_cast<int>(n / dtypes % item.keys);
  if (is_compiled(path) && !is_compiled_slot(item, n % dtypes, slot)) return false;
  return !is_backward(path) || (item.differentiable && is_floating(dtype) && takes_gradients(slot));
}

template <class Words>
std::vector<std::string> words_of(const Words& values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const auto value : values) words.emplace_back(name_of(value));
  return words;
}

std::vector<std::string> read_words(JsonFields& fields, const std::string& key) {
  std::vector<std::string> words;
  fields.required(key, words);
  return words;
}

}  // namespace

bool is_planned(const PlanItem& item, std::int64_t n, Path path) {
  return n >= item.first && n < item.first + item.count && !item.dtypes.empty() && has_path(item, n, path);
}

Record planned_record(const PlanItem& item, std::int64_t n, Path path) {
  Record record;
  record.position = {item.row, n, {}};
  record.op = item.op;
  record.dtype = item.dtypes.at(static_cast<std::size_t>(n) % item.dtypes.size());
  record.path = path;
  return record;
}

std::int64_t planned_count(const Plan& plan) {
  std::int64_t count = 0;
  for (const PlanItem& item : plan.items) {
    for (std::int64_t n = item.first; n < item.first + item.count; ++n) {
      count += std::count_if(item.paths.begin(), item.paths.end(), [&](Path path) { return is_planned(item, n, path); });
    }
  }
  return count;
}

void to_json(nlohmann::json& json, const PlanItem& item) {
  json = {{"row", item.row},
          {"op", item.op},
          {"family", item.family},
          {"dtypes", words_of(item.dtypes)},
          {"selected_dtypes", words_of(item.selected_dtypes)},
          {"paths", words_of(item.paths)},
          {"differentiable", item.differentiable},
          {"crash_prone", item.crash_prone},
          {"keys", item.keys},
          {"compiled_keys", item.compiled_keys},
          {"first", item.first},
          {"count", item.count}};
}

void from_json(const nlohmann::json& json, PlanItem& item) {
  item = {};
  JsonFields fields(json, "plan item");
  fields.required("row", item.row);
  fields.required("op", item.op);
  fields.required("family", item.family);
  for (const std::string& word : read_words(fields, "dtypes")) item.dtypes.push_back(parse_dtype(word));
  for (const std::string& word : read_words(fields, "selected_dtypes")) item.selected_dtypes.insert(parse_dtype(word));
  for (const std::string& word : read_words(fields, "paths")) item.paths.push_back(parse_path(word));
  fields.required("differentiable", item.differentiable);
  fields.required("crash_prone", item.crash_prone);
  fields.required("keys", item.keys);
  fields.required("compiled_keys", item.compiled_keys);
  fields.required("first", item.first);
  fields.required("count", item.count);
  fields.done();
}

void to_json(nlohmann::json& json, const Plan& plan) {
  json = {{"target", plan.target}, {"simulated", plan.simulated}, {"suite", plan.suite},     {"suite_fingerprint", plan.suite_fingerprint},
          {"lane", plan.lane},     {"seed", plan.seed},           {"keys", plan.keys},       {"selection", plan.selection},
          {"fault", plan.fault},   {"build", plan.build},         {"host", plan.host},       {"jobs", plan.jobs},
          {"shard", plan.shard},   {"shards", plan.shards},       {"started", plan.started}, {"items", plan.items}};
}

void from_json(const nlohmann::json& json, Plan& plan) {
  plan = {};
  JsonFields fields(json, "plan");
  fields.required("target", plan.target);
  fields.required("simulated", plan.simulated);
  fields.required("suite", plan.suite);
  fields.required("suite_fingerprint", plan.suite_fingerprint);
  fields.required("lane", plan.lane);
  fields.required("seed", plan.seed);
  fields.required("keys", plan.keys);
  fields.required("selection", plan.selection);
  fields.required("fault", plan.fault);
  fields.required("build", plan.build);
  fields.required("host", plan.host);
  fields.required("jobs", plan.jobs);
  fields.required("shard", plan.shard);
  fields.required("shards", plan.shards);
  fields.required("started", plan.started);
  fields.required("items", plan.items);
  fields.done();
}

}  // namespace neuroncheck
