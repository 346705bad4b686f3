// neuroncheck run: plans, runs the campaign, stores it and prints the first screen.
#pragma once

#include <string>
#include <vector>

namespace neuroncheck {

struct RunOptions {
  std::string target = "neuron-sim";
  std::string suite = "conformance";
  std::vector<std::string> ops;
  std::string dtypes;      // comma-separated
  std::string paths;       // comma-separated
  std::int64_t cases = 0;  // per row; 0: the suite's
  std::string budget;      // "5m"; empty: none
  std::string seed;        // number, or "random"; empty: the suite's
  int jobs = 0;            // 0: one per core
  std::string database = "neuroncheck.db";
  std::string fault;
  std::string custom;  // file of custom operators
  std::string shard = "0/1";
  int first_core = 0;              // device core of the first worker
  int batch = 48;                  // programs per compiled graph at most
  std::string started;             // shards of one run share their start; empty: now
  bool completeness_only = false;  // exit 0 when all planned was judged, whatever was found: the gate judges
  bool dry_run = false;
  bool json = false;
  bool quiet = false;  // no progress, no first screen
};

// Exit code as in matrix.md section 1.
int command_run(const RunOptions& options);

}  // namespace neuroncheck
