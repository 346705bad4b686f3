// Which observations of an unfinished run with the same plan are already stored.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "db/database.h"
#include "harness/campaign.h"
#include "harness/plan.h"

namespace neuroncheck {

class DoneSet {
 public:
  void add(const std::string& row, std::int64_t n, Path path);
  bool contains(const std::string& row, std::int64_t n, Path path) const;
  std::int64_t size() const { return size_; }

 private:
  std::map<std::string, std::set<std::pair<std::int64_t, Path>>, std::less<>> rows_;
  std::int64_t size_ = 0;
};

struct Unfinished {
  std::int64_t run = 0;
  std::string started;
  DoneSet done;
  Earlier earlier;
};

// The same plan: everything but its start, host and number of jobs.
std::string plan_fingerprint(const Plan& plan);

// The newest run of this plan and shard that was killed, interrupted or ran out of budget; a void one is never gone on with.
std::optional<Unfinished> find_unfinished(const Database& database, const Plan& plan);

}  // namespace neuroncheck
