// The loop: hands a plan's chunks to workers, blames deaths, retries and shrinks what is unexpected, and tells listeners. No I/O of its own but
// the workers' pipes; holds no tensors.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "harness/expectation.h"
#include "harness/in_flight.h"
#include "harness/listener.h"
#include "harness/plan.h"
#include "harness/protocol.h"
#include "harness/worker_process.h"

namespace neuroncheck {

struct CampaignOptions {
  int jobs = 1;
  int chunk = 128;               // cases per request
  int batch = 48;                // programs per compiled graph at most
  double deadline_s = 300.0;     // without a sign of life, per announced stage
  double budget_s = 0.0;         // 0: none; what is not judged by then leaves the run partial, what is not searched has no repro
  int shrink_probes = 400;       // per finding
  int findings = 60;             // groups of unexpected results that are retried and shrunk
  std::vector<Canary> canaries;  // kinds the target can show
  std::string replay_with;       // behind every repro line: options without which a case cannot be run again
};

// What an earlier, interrupted call of the same plan left: its unexpected results, and those of them whose search was finished.
struct Earlier {
  std::vector<Record> unexpected, searched;
};

struct CampaignParts {
  std::function<WorkerCommand(int slot)> command;
  InFlightFile& in_flight;  // at least `jobs` slots
  const Baseline& baseline;
  std::function<JudgedSet(const PlanItem&)> done;  // what an earlier, interrupted call of the same plan has judged already
  std::function<Earlier()> earlier;
  std::function<Verdict(const Died&, Stage)> judge_death;
  std::function<std::vector<Listener*>(const Plan&)> listeners;  // asked once, when the target's versions have completed the plan
  std::function<double()> now_s;
  const std::atomic<bool>& stop;  // set by Ctrl-C
};

// Progress that a listener cannot derive from records.
struct CampaignResult {
  RunEnd end;
  std::vector<std::string> canary_failures;  // names; the run is void when there are any
  int canaries_run = 0;
  std::string not_testable;  // the target's own words; nothing was run
};

// Opens the target first (its versions complete plan.build), then tells listeners of the plan, then asks `parts.done` for each item and
// `parts.earlier`.
CampaignResult run_campaign(Plan plan, const CampaignOptions& options, const CampaignParts& parts);

}  // namespace neuroncheck
