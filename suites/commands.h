// The commands of neuroncheck but `run`: each takes its options, prints, and returns the exit code of matrix.md section 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace neuroncheck {

struct OpsOptions {
  std::string glob;
  std::string suite = "conformance";
  std::string target = "neuron-sim";  // ready cases are captured for its device
  std::string custom;                 // file of custom operators
  bool missing = false;               // those of the lists that have no row, with the reason
  bool json = false;
};
int command_ops(const OpsOptions& options);

struct TargetsOptions {
  bool json = false;
};
int command_targets(const TargetsOptions& options);

struct ReplayOptions {
  std::string what;    // case id, or a file with a case's JSON
  std::string target;  // empty: of the run that found the case, else neuron-sim
  std::string path;    // empty: the path it failed on, else all of the target
  std::string fault;
  std::string emit;    // "python"
  std::string custom;  // file of custom operators
  std::string database = "neuroncheck.db";
  int repeat = 1;
  bool json = false;
};
int command_replay(const ReplayOptions& options);

struct QueryOptions {
  std::string name;  // empty: the list
  std::string database = "neuroncheck.db";
  std::string format = "table";
  std::string target, op, from, to, run;
};
int command_query(const QueryOptions& options);

struct GateCommandOptions {
  std::string database = "neuroncheck.db";
  std::string folder;  // of a plan: its shards are merged first
  std::string run = "latest";
  std::string against;  // a run; empty: the complete run before
  bool json = false;
};
int command_gate(const GateCommandOptions& options);

struct MergeOptions {
  std::string into;
  std::vector<std::string> sources;
  bool json = false;
};
int command_merge(const MergeOptions& options);

struct DatabaseCheckOptions {
  std::string database = "neuroncheck.db";
  bool json = false;
};
int command_database_check(const DatabaseCheckOptions& options);
// A file of an older schema becomes one of this version's.
int command_database_upgrade(const DatabaseCheckOptions& options);

// ctest's fixture: what all shards of one run share is fixed here, once.
struct PlanOptions {
  std::string folder;
  std::string target = "neuron-sim";
  std::string suite = "conformance";
  int shards = 1;
  bool json = false;
};
int command_plan(const PlanOptions& options);

struct ShardOptions {
  std::string folder;
  int shard = 0;
  bool json = false;
};
int command_shard(const ShardOptions& options);

}  // namespace neuroncheck
