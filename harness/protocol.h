// What driver and worker say to each other: one JSON object a line, over two pipes. Tensors never cross.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "harness/plan.h"
#include "harness/record.h"

namespace neuroncheck {

// File descriptors the driver gives to a worker.
inline constexpr int kWorkerReads = 3;
inline constexpr int kWorkerWrites = 4;

// Observations of one item that are already judged, so that a chunk can go on behind a death or an interruption.
using JudgedSet = std::set<std::pair<std::int64_t, Path>>;

// driver -> worker
struct ChunkRequest {
  PlanItem item;  // first and count say which cases
  std::vector<std::pair<std::int64_t, Path>> done;
  int batch = 50;  // programs per compiled graph at most
};
struct ProbeRequest {
  Position position;        // a drawn case, or a node of its shrink tree
  std::string case_json;    // not empty: this case instead, with `position` as its name
  std::vector<Path> paths;  // none: only say what the case is
  int repeat = 1;           // runs until one fails, at most so many times
  std::string wanted;       // stop repeating at this verdict kind; empty: at the first that is not pass
  std::string emit;         // "python": the stand-alone script comes back in Record::repro
};
enum class Canary : std::uint8_t { mismatch, fallback, refused, crash, timeout };
struct CanaryRequest {
  Canary kind = Canary::mismatch;
};
struct QuitRequest {};
using Request = std::variant<ChunkRequest, ProbeRequest, CanaryRequest, QuitRequest>;

// worker -> driver
struct Ready {
  std::map<std::string, std::string> versions;
};
struct NotReady {
  std::string why;
  bool bad_input = false;  // a file or option is wrong; else the target is not testable here
};
// Throws it as the error it is: UserError or NotTestable.
[[noreturn]] void raise(const NotReady& not_ready);
struct ChunkDone {};
struct ProbeAnswer {
  bool no_child = false;           // the position names a child that does not exist
  std::string case_json, case_id;  // of the probed case; empty when it could not be made
  std::vector<Record> records;     // one per path that was asked for
};
using Reply = std::variant<Ready, NotReady, Record, ChunkDone, ProbeAnswer>;

std::string_view name_of(Canary canary);

std::string encode(const Request& request);
std::string encode(const Reply& reply);
Request decode_request(const std::string& line);  // throws std::logic_error for what we never send
Reply decode_reply(const std::string& line);

}  // namespace neuroncheck
