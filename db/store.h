// The only writer of a database: a listener that turns a campaign into rows.
//
// Records are buffered and written in one transaction at least every 250 ms of on_record and on_idle calls, so a kill at any moment loses no more.
// A stored verdict is never changed: the same observation judged again with another verdict stands beside it (view `conflicts`).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/database.h"
#include "db/ids.h"
#include "harness/expectation.h"
#include "harness/listener.h"

namespace neuroncheck {

struct StoreOptions {
  std::function<double()> now;                 // seconds, monotonic
  Baseline baseline;                           // kept with the run, so that its gate can be replayed
  std::optional<std::int64_t> resume_run;      // go on with this one (resume.h)
  std::vector<CatalogueEntry> catalogue = {};  // what coverage is counted against
};

class Store : public Listener {
 public:
  Store(Database& database, StoreOptions options);
  ~Store() override;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  void on_plan(const Plan& plan) override;
  void on_record(const Record& record, Triage triage) override;
  void on_finding(const Finding& finding) override;
  void on_idle() override;
  void on_end(const RunEnd& end) override;

  std::int64_t run() const { return run_; }  // its number, once on_plan was called

 private:
  struct Statements;

  void begin_run(const Plan& plan);
  void write_expectations();
  void start_waiting();
  void flush_if_due();
  void flush();
  void write(const Record& record, Triage triage);
  void write_placement(const Record& record, std::int64_t cell);
  void write(const Finding& finding);

  Database& database_;
  StoreOptions options_;
  Ids ids_;
  std::unique_ptr<Statements> statements_;
  std::vector<std::pair<Record, Triage>> records_;
  std::vector<Finding> findings_;
  std::optional<double> waiting_since_;
  std::int64_t run_ = 0;
  int shard_ = 0;
};

}  // namespace neuroncheck
