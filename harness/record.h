// What crosses from a worker to the driver for each judged observation.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/input_class.h"
#include "harness/observation.h"
#include "harness/verdict.h"

namespace neuroncheck {

enum class Triage : std::uint8_t { expected, regressed, improved, cause_changed, first_seen, flaky, absent };
std::string_view name_of(Triage triage);

// Where a case stands: row and number, and the way down its shrink tree.
struct Position {
  std::string row;
  std::int64_t n = 0;
  std::vector<int> children;

  bool operator==(const Position&) const = default;
};

struct Record {
  Position position;
  std::string op;  // the row's op: the cell is op x dtype x path
  Dtype dtype = Dtype::float32;
  Path path = Path::eager;
  std::vector<InputClass> input_classes;  // only where the case is known, as case_json
  Verdict verdict;
  PlacementEvidence evidence;
  CompileCounters counters;
  double run_us = 0.0;
  double compile_us = 0.0;
  double harness_us = 0.0;  // worker CPU time minus time inside the subject's calls, for this case; on its first path only
  int batch = 1;
  std::uint64_t compile_key = 0;
  std::string case_json;  // canonical; only when the verdict is not pass
  std::string case_id;
  std::string repro;  // stand-alone Python script; only when asked for
};

void to_json(nlohmann::json& json, const Record& record);
void from_json(const nlohmann::json& json, Record& record);

}  // namespace neuroncheck
