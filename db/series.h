// Where a run stands among those it compares with, and its cells.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>

namespace neuroncheck {

// Sets run.state from its shards; a complete run then gets its position in its series, by time, and its cells. Right in any order of calls and any
// number of times: an older run that comes in later is put between the others.
void settle_run(SQLite::Database& database, std::int64_t run);

// The complete run before this one in its series; of a run that is not complete: the newest complete one before it. 0: none.
std::int64_t previous_run(const SQLite::Database& database, std::int64_t run);

}  // namespace neuroncheck
