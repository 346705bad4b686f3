#include "harness/verdict.h"

#include "harness/enum_names.h"
#include "harness/json_fields.h"

namespace neuroncheck {
namespace {

struct Facts {
  VerdictKind kind;
  std::string_view name;
  int rank;
  Bucket bucket;
};

// The table of verdicts: matrix.md section 1.
constexpr std::array kFacts = {
    Facts{VerdictKind::pass, "pass", 0, Bucket::native},
    Facts{VerdictKind::weak_case, "weak_case", 6, Bucket::weak},
    Facts{VerdictKind::imprecise, "imprecise", 8, Bucket::degraded},
    Facts{VerdictKind::recompiles, "recompiles", 10, Bucket::degraded},
    Facts{VerdictKind::graph_break, "graph_break", 12, Bucket::degraded},
    Facts{VerdictKind::fallback, "fallback", 14, Bucket::degraded},
    Facts{VerdictKind::refused, "refused", 20, Bucket::refused},
    Facts{VerdictKind::mismatch, "mismatch", 30, Bucket::wrong},
    Facts{VerdictKind::nondeterministic, "nondeterministic", 32, Bucket::wrong},
    Facts{VerdictKind::missing_error, "missing_error", 34, Bucket::wrong},
    Facts{VerdictKind::wrong_error, "wrong_error", 36, Bucket::wrong},
    Facts{VerdictKind::unexpected_error, "unexpected_error", 38, Bucket::broken},
    Facts{VerdictKind::compile_error, "compile_error", 40, Bucket::broken},
    Facts{VerdictKind::oom, "oom", 50, Bucket::broken},
    Facts{VerdictKind::timeout, "timeout", 60, Bucket::broken},
    Facts{VerdictKind::crash, "crash", 70, Bucket::broken},
    Facts{VerdictKind::device_lost, "device_lost", 72, Bucket::broken},
    Facts{VerdictKind::skipped, "skipped", 80, Bucket::none},
    Facts{VerdictKind::not_run, "not_run", 82, Bucket::none},
    Facts{VerdictKind::harness_error, "harness_error", 90, Bucket::none},
};

const Facts& facts_of(VerdictKind kind) {
  for (const Facts& facts : kFacts) {
    if (facts.kind == kind) return facts;
  }
  throw std::logic_error("verdict without facts");
}

constexpr std::array kBucketNames = {
    EnumName<Bucket>{Bucket::native, "native"},   EnumName<Bucket>{Bucket::weak, "weak"},   EnumName<Bucket>{Bucket::degraded, "degraded"},
    EnumName<Bucket>{Bucket::refused, "refused"}, EnumName<Bucket>{Bucket::wrong, "wrong"}, EnumName<Bucket>{Bucket::broken, "broken"},
    EnumName<Bucket>{Bucket::none, "none"},
};

}  // namespace

std::string_view name_of(VerdictKind kind) { return facts_of(kind).name; }

VerdictKind parse_verdict_kind(std::string_view text) {
  std::string known;
  for (const Facts& facts : kFacts) {
    if (facts.name == text) return facts.kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", facts.name);
  }
  throw UserError(fmt::format("unknown verdict '{}': one of {}", text, known));
}

int rank_of(VerdictKind kind) { return facts_of(kind).rank; }

Bucket bucket_of(VerdictKind kind) { return facts_of(kind).bucket; }

std::string_view name_of(Bucket bucket) { return find_name(kBucketNames, bucket); }

void to_json(nlohmann::json& json, const WorstElement& worst) {
  json = {{"step", worst.step}, {"output", worst.output},     {"what", worst.what}, {"index", worst.index},
          {"got", worst.got},   {"expected", worst.expected}, {"low", worst.low},   {"high", worst.high}};
}

void from_json(const nlohmann::json& json, WorstElement& worst) {
  worst = {};
  JsonFields fields(json, "worst");
  fields.required("step", worst.step);
  fields.required("output", worst.output);
  fields.required("what", worst.what);
  fields.required("index", worst.index);
  fields.required("got", worst.got);
  fields.required("expected", worst.expected);
  fields.required("low", worst.low);
  fields.required("high", worst.high);
  fields.done();
}

void to_json(nlohmann::json& json, const Verdict& verdict) {
  const Verdict usual;
  json = nlohmann::json::object();
  json["kind"] = name_of(verdict.kind);
  put_unless(json, "reason", verdict.reason, usual.reason);
  put_unless(json, "flags", verdict.flags, usual.flags);
  put_unless(json, "cause", verdict.cause, usual.cause);
  put_unless(json, "detail", verdict.detail, usual.detail);
  put_unless(json, "oracle", verdict.oracle, usual.oracle);
  if (verdict.strength != usual.strength) json["strength"] = name_of(verdict.strength);
  if (verdict.error_ulps != 0.0) json["error_ulps"] = plain_number(verdict.error_ulps);
  if (verdict.bound_share != 0.0) json["bound_share"] = plain_number(verdict.bound_share);
  if (verdict.worst) json["worst"] = *verdict.worst;
  if (verdict.weak_default_sees) json["weak_default_sees"] = *verdict.weak_default_sees;
  if (verdict.weak_vendor_sees) json["weak_vendor_sees"] = *verdict.weak_vendor_sees;
}

void from_json(const nlohmann::json& json, Verdict& verdict) {
  verdict = {};
  JsonFields fields(json, "verdict");
  fields.word("kind", parse_verdict_kind, verdict.kind);
  fields.optional("reason", verdict.reason);
  fields.optional("flags", verdict.flags);
  fields.optional("cause", verdict.cause);
  fields.optional("detail", verdict.detail);
  fields.optional("oracle", verdict.oracle);
  fields.word("strength", parse_strength, verdict.strength);
  fields.optional("error_ulps", verdict.error_ulps);
  fields.optional("bound_share", verdict.bound_share);
  if (fields.find("worst") != nullptr) fields.required("worst", verdict.worst.emplace());
  if (fields.find("weak_default_sees") != nullptr) fields.required("weak_default_sees", verdict.weak_default_sees.emplace());
  if (fields.find("weak_vendor_sees") != nullptr) fields.required("weak_vendor_sees", verdict.weak_vendor_sees.emplace());
  fields.done();
}

}  // namespace neuroncheck
