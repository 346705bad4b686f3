#include "harness/record.h"

#include "harness/enum_names.h"
#include "harness/json_fields.h"

namespace neuroncheck {
namespace {

constexpr std::array kTriageNames = {
    EnumName<Triage>{Triage::expected, "expected"},     EnumName<Triage>{Triage::regressed, "regressed"},
    EnumName<Triage>{Triage::improved, "improved"},     EnumName<Triage>{Triage::cause_changed, "cause_changed"},
    EnumName<Triage>{Triage::first_seen, "first_seen"}, EnumName<Triage>{Triage::flaky, "flaky"},
    EnumName<Triage>{Triage::absent, "absent"},
};

}  // namespace

std::string_view name_of(Triage triage) { return find_name(kTriageNames, triage); }

void to_json(nlohmann::json& json, const Position& position) {
  json = nlohmann::json::object();
  json["row"] = position.row;
  json["n"] = position.n;
  put_unless(json, "children", position.children, {});
}

void from_json(const nlohmann::json& json, Position& position) {
  position = {};
  JsonFields fields(json, "position");
  fields.required("row", position.row);
  fields.required("n", position.n);
  fields.optional("children", position.children);
  fields.done();
}

void to_json(nlohmann::json& json, const FallbackUse& use) { json = {{"op", use.op}, {"copies", use.copies}, {"bytes", use.bytes}}; }

void from_json(const nlohmann::json& json, FallbackUse& use) {
  use = {};
  JsonFields fields(json, "fallback");
  fields.required("op", use.op);
  fields.required("copies", use.copies);
  fields.required("bytes", use.bytes);
  fields.done();
}

void to_json(nlohmann::json& json, const PlacementEvidence& evidence) {
  json = nlohmann::json::object();
  json["placement"] = name_of(evidence.placement);
  json["sources"] = evidence.sources;
  put_unless(json, "fallbacks", evidence.fallbacks, {});
  put_unless(json, "disagreements", evidence.disagreements, {});
}

void from_json(const nlohmann::json& json, PlacementEvidence& evidence) {
  evidence = {};
  JsonFields fields(json, "evidence");
  fields.word("placement", parse_placement, evidence.placement);
  fields.required("sources", evidence.sources);
  fields.optional("fallbacks", evidence.fallbacks);
  fields.optional("disagreements", evidence.disagreements);
  fields.done();
}

void to_json(nlohmann::json& json, const CompileCounters& counters) {
  json = nlohmann::json::object();
  put_unless(json, "compilations", counters.compilations, 0);
  put_unless(json, "graphs", counters.graphs, 0);
  put_unless(json, "graph_breaks", counters.graph_breaks, 0);
  put_unless(json, "per_op_dispatches", counters.per_op_dispatches, 0);
  put_unless(json, "break_reason", counters.break_reason, {});
}

void from_json(const nlohmann::json& json, CompileCounters& counters) {
  counters = {};
  JsonFields fields(json, "counters");
  fields.optional("compilations", counters.compilations);
  fields.optional("graphs", counters.graphs);
  fields.optional("graph_breaks", counters.graph_breaks);
  fields.optional("per_op_dispatches", counters.per_op_dispatches);
  fields.optional("break_reason", counters.break_reason);
  fields.done();
}

// Member by member, and so are its parts and those of cases: a braced list is first built as arrays of pairs, which the harness's time per case
// shows.
void to_json(nlohmann::json& json, const Record& record) {
  json = nlohmann::json::object();
  json["position"] = record.position;
  json["op"] = record.op;
  json["dtype"] = name_of(record.dtype);
  json["path"] = name_of(record.path);
  json["verdict"] = record.verdict;
  json["evidence"] = record.evidence;
  json["run_us"] = plain_number(record.run_us);
  json["compile_key"] = hex_of(record.compile_key);
  const nlohmann::json counters = record.counters;
  if (!counters.empty()) json["counters"] = counters;
  if (record.compile_us != 0.0) json["compile_us"] = plain_number(record.compile_us);
  if (record.harness_us != 0.0) json["harness_us"] = plain_number(record.harness_us);
  put_unless(json, "input_classes", record.input_classes, {});
  put_unless(json, "batch", record.batch, 1);
  put_unless(json, "case_json", record.case_json, {});
  put_unless(json, "case_id", record.case_id, {});
  put_unless(json, "repro", record.repro, {});
}

void from_json(const nlohmann::json& json, Record& record) {
  record = {};
  JsonFields fields(json, "record");
  fields.required("position", record.position);
  fields.required("op", record.op);
  fields.word("dtype", parse_dtype, record.dtype);
  fields.word("path", parse_path, record.path);
  fields.required("verdict", record.verdict);
  fields.required("evidence", record.evidence);
  fields.optional("counters", record.counters);
  fields.required("run_us", record.run_us);
  fields.optional("compile_us", record.compile_us);
  fields.optional("harness_us", record.harness_us);
  fields.optional("input_classes", record.input_classes);
  fields.optional("batch", record.batch);
  fields.word("compile_key", parse_hex, record.compile_key);
  fields.optional("case_json", record.case_json);
  fields.optional("case_id", record.case_id);
  fields.optional("repro", record.repro);
  fields.done();
}

}  // namespace neuroncheck
