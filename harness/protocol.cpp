#include "harness/protocol.h"

#include <nlohmann/json.hpp>

#include <array>
#include <stdexcept>

#include "harness/enum_names.h"
#include "harness/user_error.h"

namespace neuroncheck {
namespace {

using nlohmann::json;

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;  // C++20 needs no guide, clang 14 does

json paths_json(const std::vector<Path>& paths) {
  json list = json::array();
  for (const Path path : paths) list.push_back(name_of(path));
  return list;
}

std::vector<Path> paths_from(const json& list) {
  std::vector<Path> paths;
  for (const json& name : list) paths.push_back(parse_path(name.get<std::string>()));
  return paths;
}

json position_json(const Position& position) { return {{"row", position.row}, {"n", position.n}, {"children", position.children}}; }

Position position_from(const json& object) {
  return {object.at("row").get<std::string>(), object.at("n").get<std::int64_t>(), object.at("children").get<std::vector<int>>()};
}

constexpr std::array kCanaryNames = {EnumName<Canary>{Canary::mismatch, "mismatch"}, EnumName<Canary>{Canary::fallback, "fallback"},
                                     EnumName<Canary>{Canary::refused, "refused"}, EnumName<Canary>{Canary::crash, "crash"},
                                     EnumName<Canary>{Canary::timeout, "timeout"}};

}  // namespace

std::string_view name_of(Canary canary) { return find_name(kCanaryNames, canary); }

void raise(const NotReady& not_ready) {
  if (not_ready.bad_input) throw UserError(not_ready.why);
  throw NotTestable(not_ready.why);
}

std::string encode(const Request& request) {
  const json object = std::visit(Overloaded{
                                     [](const ChunkRequest& chunk) {
                                       json done = json::array();
                                       for (const auto& [n, path] : chunk.done) done.push_back({n, name_of(path)});
                                       return json{{"do", "chunk"}, {"item", chunk.item}, {"done", done}, {"batch", chunk.batch}};
                                     },
                                     [](const ProbeRequest& probe) {
                                       return json{{"do", "probe"},           {"position", position_json(probe.position)},
                                                   {"case", probe.case_json}, {"paths", paths_json(probe.paths)},
                                                   {"repeat", probe.repeat},  {"wanted", probe.wanted},
                                                   {"emit", probe.emit}};
                                     },
                                     [](const CanaryRequest& canary) {
                                       return json{{"do", "canary"}, {"kind", name_of(canary.kind)}};
                                     },
                                     [](const QuitRequest&) {
                                       return json{{"do", "quit"}};
                                     },
                                 },
                                 request);
  return object.dump();
}

std::string encode(const Reply& reply) {
  const json object = std::visit(Overloaded{
                                     [](const Ready& ready) {
                                       return json{{"is", "ready"}, {"versions", ready.versions}};
                                     },
                                     [](const NotReady& not_ready) {
                                       return json{{"is", "not_ready"}, {"why", not_ready.why}, {"bad_input", not_ready.bad_input}};
                                     },
                                     [](const Record& record) {
                                       json line = json::object();
                                       line["is"] = "record";
                                       line["record"] = record;
                                       return line;
                                     },
                                     [](const ChunkDone&) {
                                       return json{{"is", "chunk_done"}};
                                     },
                                     [](const ProbeAnswer& answer) {
                                       return json{{"is", "answer"},
                                                   {"no_child", answer.no_child},
                                                   {"case", answer.case_json},
                                                   {"case_id", answer.case_id},
                                                   {"records", answer.records}};
                                     },
                                 },
                                 reply);
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Request decode_request(const std::string& line) {
  const json object = json::parse(line);
  const std::string what = object.at("do").get<std::string>();
  if (what == "chunk") {
    ChunkRequest chunk;
    chunk.item = object.at("item").get<PlanItem>();
    for (const json& pair : object.at("done")) chunk.done.emplace_back(pair.at(0).get<std::int64_t>(), parse_path(pair.at(1).get<std::string>()));
    chunk.batch = object.at("batch").get<int>();
    return chunk;
  }
  if (what == "probe") {
    return ProbeRequest{position_from(object.at("position")), object.at("case").get<std::string>(),   paths_from(object.at("paths")),
                        object.at("repeat").get<int>(),       object.at("wanted").get<std::string>(), object.at("emit").get<std::string>()};
  }
  if (what == "canary") return CanaryRequest{find_value(kCanaryNames, object.at("kind").get<std::string>(), "canary")};
  if (what == "quit") return QuitRequest{};
  throw std::logic_error("unknown request " + what);
}

Reply decode_reply(const std::string& line) {
  const json object = json::parse(line);
  const std::string what = object.at("is").get<std::string>();
  if (what == "record") return object.at("record").get<Record>();
  if (what == "chunk_done") return ChunkDone{};
  if (what == "answer") {
    return ProbeAnswer{object.at("no_child").get<bool>(), object.at("case").get<std::string>(), object.at("case_id").get<std::string>(),
                       object.at("records").get<std::vector<Record>>()};
  }
  if (what == "ready") return Ready{object.at("versions").get<std::map<std::string, std::string>>()};
  if (what == "not_ready") return NotReady{object.at("why").get<std::string>(), object.at("bad_input").get<bool>()};
  throw std::logic_error("unknown reply " + what);
}

}  // namespace neuroncheck
