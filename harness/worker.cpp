#include "harness/worker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "harness/shrink.h"

namespace neuroncheck {
namespace {

// A case with what the plain run and the reference say of it, kept until its last path is judged.
struct Prepared {
  Position position;
  std::vector<Path> open;  // planned and not judged yet
  DrawnCase drawn;
  std::uint64_t key = 0;
  Observation structure;
  std::optional<Observation> structure_backward;
  std::optional<Reference> reference;
  std::string harness_error;  // not empty: what we failed at, which is the verdict of every path of the case
  double harness_us = 0.0;    // given to the first record
};

void announce(const WorkerParts& parts, const Position& position, Stage stage, Path path = Path::eager) {
  InFlight what;
  what.stage = stage;
  what.path = static_cast<std::uint8_t>(path);
  what.n = position.n;
  what.row = position.row;
  parts.announce(what);
}

bool any_backward(const std::vector<Path>& paths) { return std::any_of(paths.begin(), paths.end(), is_backward); }

// Runs `step` of a case unless an earlier one failed; what it throws is our bug, never the subject's: sessions turn that into an observation.
template <class Step>
void guarded(Prepared& prepared, Step step) {
  if (!prepared.harness_error.empty()) return;
  try {
    step();
  } catch (const std::exception& error) {
    prepared.harness_error = error.what();
  }
}

// Gradients only where a path asks for them: they cost, and an autograd engine that ran before Python was started does not know the device.
void add_reference(Prepared& prepared, const std::vector<Path>& paths, const WorkerParts& parts) {
  std::optional<Case> forward;
  if (!prepared.drawn.test_case.backward.empty() && !any_backward(paths)) {
    forward = prepared.drawn.test_case;
    forward->backward.clear();
  }
  const Case& test_case = forward ? *forward : prepared.drawn.test_case;
  announce(parts, prepared.position, Stage::structure);
  prepared.structure = parts.plain.run(test_case, Path::eager);
  if (!test_case.backward.empty()) prepared.structure_backward = parts.plain.run(test_case, Path::eager_backward);
  const auto* returned = std::get_if<Returned>(&prepared.structure.outcome);
  if (returned == nullptr) return;
  announce(parts, prepared.position, Stage::reference);
  prepared.reference = parts.refer(test_case, *returned);
}

Observation observed(Prepared& prepared, Path path, const WorkerParts& parts) {
  Observation seen;
  announce(parts, prepared.position, Stage::subject, path);
  guarded(prepared, [&] { seen = parts.subject.run(prepared.drawn.test_case, path); });
  return seen;
}

Record blank_record(const Prepared& prepared, Path path) {
  Record record;
  record.position = prepared.position;
  record.op = prepared.drawn.op;
  record.dtype = prepared.drawn.dtype;
  record.path = path;
  record.compile_key = prepared.key;
  return record;
}

Verdict harness_error(const std::string& text) {
  Verdict verdict;
  verdict.kind = VerdictKind::harness_error;
  verdict.cause = text.substr(0, text.find('\n')).substr(0, 160);
  verdict.detail = text.substr(0, 4096);
  return verdict;
}

Verdict judged(const Prepared& prepared, Path path, const Observation& seen, const WorkerParts& parts) {
  if (!prepared.harness_error.empty()) return harness_error(prepared.harness_error);
  announce(parts, prepared.position, Stage::judge, path);
  try {
    return parts.judge({prepared.drawn.test_case, path, prepared.structure, prepared.structure_backward ? &*prepared.structure_backward : nullptr,
                        prepared.reference ? &*prepared.reference : nullptr, seen});
  } catch (const std::exception& error) {
    return harness_error(error.what());
  }
}

Record make_record(const Prepared& prepared, Path path, const Observation& seen, const WorkerParts& parts) {
  Record record = blank_record(prepared, path);
  record.verdict = judged(prepared, path, seen, parts);
  record.evidence = seen.evidence;
  record.counters = seen.counters;
  record.run_us = seen.run_us;
  record.compile_us = seen.compile_us;
  record.batch = seen.batch;
  if (record.verdict.kind != VerdictKind::pass) {
    record.case_json = canonical_json(prepared.drawn.test_case);
    record.case_id = id_of_json(record.case_json);
    record.input_classes = input_classes_of(prepared.drawn.test_case);
  }
  return record;
}

// Paths that only exist with gradients are left out of probes of cases that take none.
std::vector<Path> applicable(const Case& test_case, const std::vector<Path>& paths) {
  std::vector<Path> kept;
  for (const Path path : paths) {
    if (!is_backward(path) || !test_case.backward.empty()) kept.push_back(path);
  }
  return kept;
}

void run_eager(Prepared& prepared, const WorkerParts& parts, double started_us) {
  double subject_us = 0.0;
  std::vector<Record> records;
  for (const Path path : prepared.open) {
    if (is_compiled(path)) continue;
    const Observation seen = observed(prepared, path, parts);
    subject_us += seen.cpu_us;
    records.push_back(make_record(prepared, path, seen, parts));
  }
  prepared.harness_us = parts.cpu_us() - started_us - subject_us;
  if (!records.empty()) records.front().harness_us = prepared.harness_us;
  for (const Record& record : records) parts.reply(record);
}

void run_compiled(std::vector<Prepared>& all, Path path, int batch, const WorkerParts& parts) {
  std::vector<Prepared*> chosen;
  std::vector<Case> cases;
  for (Prepared& prepared : all) {
    if (std::find(prepared.open.begin(), prepared.open.end(), path) == prepared.open.end()) continue;
    if (!prepared.harness_error.empty()) {
      parts.reply(make_record(prepared, path, {}, parts));
      continue;
    }
    chosen.push_back(&prepared);
    cases.push_back(prepared.drawn.test_case);
  }
  if (chosen.empty()) return;
  if (batch <= 1) {
    for (Prepared* prepared : chosen) {
      const Observation seen = observed(*prepared, path, parts);
      parts.reply(make_record(*prepared, path, seen, parts));
    }
    return;
  }
  std::vector<Observation> seen(chosen.size());
  announce(parts, chosen.front()->position, Stage::batch, path);
  try {
    seen = parts.subject.run_all(cases, path, batch);
  } catch (const std::exception& error) {
    for (Prepared* prepared : chosen) prepared->harness_error = error.what();
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) parts.reply(make_record(*chosen[i], path, seen.at(i), parts));
}

std::vector<Path> open_paths(const PlanItem& item, std::int64_t n, const JudgedSet& done) {
  std::vector<Path> paths;
  for (const Path path : item.paths) {
    if (is_planned(item, n, path) && !done.contains({n, path})) paths.push_back(path);
  }
  return paths;
}

Prepared drawn_at(const PlanItem& item, std::int64_t n, const WorkerParts& parts) {
  Prepared prepared;
  const Record planned = planned_record(item, n, Path::eager);
  prepared.position = planned.position;
  prepared.drawn.op = planned.op;
  prepared.drawn.dtype = planned.dtype;
  announce(parts, prepared.position, Stage::draw);
  guarded(prepared, [&] {
    prepared.drawn = parts.draw(prepared.position);
    prepared.key = compile_key(prepared.drawn.test_case);
  });
  return prepared;
}

void serve_chunk(const ChunkRequest& chunk, const WorkerParts& parts) {
  const JudgedSet done(chunk.done.begin(), chunk.done.end());
  parts.subject.prepare(chunk.item.paths);
  std::vector<Prepared> kept;
  for (std::int64_t n = chunk.item.first; n < chunk.item.first + chunk.item.count; ++n) {
    std::vector<Path> open = open_paths(chunk.item, n, done);
    if (open.empty()) continue;
    const double started_us = parts.cpu_us();
    Prepared prepared = drawn_at(chunk.item, n, parts);
    prepared.open = std::move(open);
    guarded(prepared, [&] { add_reference(prepared, prepared.open, parts); });
    run_eager(prepared, parts, started_us);
    if (std::any_of(prepared.open.begin(), prepared.open.end(), is_compiled)) kept.push_back(std::move(prepared));
  }
  for (const Path path : chunk.item.paths) {
    if (is_compiled(path)) run_compiled(kept, path, chunk.batch, parts);
  }
  parts.reply(ChunkDone{});
}

// The case a probe names; nothing when the shrink tree has no such child.
std::optional<DrawnCase> probed_case(const ProbeRequest& probe, const WorkerParts& parts) {
  DrawnCase drawn;
  if (probe.case_json.empty()) {
    drawn = parts.draw(probe.position);
  } else {
    drawn.test_case = nlohmann::json::parse(probe.case_json).get<Case>();
    drawn.op = drawn.test_case.program.nodes.empty() ? "" : drawn.test_case.program.nodes.back().op;
    if (!drawn.test_case.program.inputs.empty()) drawn.dtype = drawn.test_case.program.inputs.front().dtype;
  }
  for (const int child : probe.position.children) {
    std::vector<Case> children = shrinks(drawn.test_case);
    if (child < 0 || static_cast<std::size_t>(child) >= children.size()) return std::nullopt;
    drawn.test_case = std::move(children[static_cast<std::size_t>(child)]);
  }
  return drawn;
}

Record probe_path(Prepared& prepared, Path path, const ProbeRequest& probe, const WorkerParts& parts) {
  Record record;
  for (int i = 0; i < std::max(1, probe.repeat); ++i) {
    const Observation seen = observed(prepared, path, parts);
    record = make_record(prepared, path, seen, parts);
    const bool stop = probe.wanted.empty() ? record.verdict.kind != VerdictKind::pass : name_of(record.verdict.kind) == probe.wanted;
    if (stop) break;
  }
  record.case_json = canonical_json(prepared.drawn.test_case);
  record.case_id = id_of_json(record.case_json);
  return record;
}

// A script is made without running anything: the case may be one that kills its process.
Record script_of(const Prepared& prepared, Path path, int runs, const WorkerParts& parts) {
  Record record = blank_record(prepared, path);
  record.verdict.kind = VerdictKind::not_run;
  record.repro = parts.emit_python(prepared.drawn.test_case, path, runs);
  return record;
}

void serve_probe(const ProbeRequest& probe, const WorkerParts& parts) {
  parts.subject.prepare(probe.paths);
  Prepared prepared;
  prepared.position = probe.position;
  announce(parts, prepared.position, Stage::draw);
  std::optional<DrawnCase> drawn = DrawnCase{};
  guarded(prepared, [&] { drawn = probed_case(probe, parts); });
  if (!drawn) {
    parts.reply(ProbeAnswer{true, {}, {}, {}});
    return;
  }
  prepared.drawn = std::move(*drawn);
  prepared.key = compile_key(prepared.drawn.test_case);
  ProbeAnswer answer{false, canonical_json(prepared.drawn.test_case), id_of(prepared.drawn.test_case), {}};
  if (!probe.position.children.empty() && !parts.admits(probe.position, prepared.drawn.test_case)) {
    parts.reply(answer);  // fails nowhere
    return;
  }
  const bool emits = probe.emit == "python";
  if (!probe.paths.empty() && !emits) guarded(prepared, [&] { add_reference(prepared, probe.paths, parts); });
  for (const Path path : applicable(prepared.drawn.test_case, probe.paths)) {
    answer.records.push_back(emits ? script_of(prepared, path, std::max(1, probe.repeat), parts) : probe_path(prepared, path, probe, parts));
  }
  parts.reply(answer);
}

// A case whose result on any device is beyond doubt: 1 + 1.
Case canary_case() {
  Case test_case;
  TensorSpec one;
  one.sizes = {Dim{2}};
  one.fill.kind = FillKind::constant;
  one.fill.low = 1.0;
  test_case.program.inputs = {one, one};
  test_case.program.nodes = {Node{"aten::add.Tensor", {Argument{ValueRef{-1, 0}}, Argument{ValueRef{-1, 1}}}}};
  test_case.program.outputs = {ValueRef{0, 0}};
  return test_case;
}

// Plants the known deviation around the session, never in the target.
void plant(Observation& seen, Canary kind) {
  switch (kind) {
    case Canary::mismatch:
      if (auto* returned = std::get_if<Returned>(&seen.outcome)) returned->steps.at(0).outputs.at(0).bytes.at(0) ^= std::byte{1};
      return;
    case Canary::fallback:
      seen.evidence.placement = Placement::fallback;
      seen.evidence.fallbacks = {FallbackUse{"aten::add.Tensor", 3, 24}};
      return;
    case Canary::refused:
      seen.outcome = Raised{"NotImplementedError", "aten::add.Tensor is not implemented for float32 (canary)", false, 0};
      return;
    case Canary::crash:
      std::raise(SIGKILL);
      return;
    case Canary::timeout:
      for (;;) ::pause();
  }
  throw std::logic_error("unknown canary");
}

void serve_canary(const CanaryRequest& canary, const WorkerParts& parts) {
  Prepared prepared;
  prepared.position.row = fmt::format("canary/{}", name_of(canary.kind));
  prepared.drawn = {canary_case(), "aten::add.Tensor", Dtype::float32};
  add_reference(prepared, {Path::eager}, parts);
  announce(parts, prepared.position, Stage::subject);
  Observation seen = parts.subject.run(prepared.drawn.test_case, Path::eager);
  plant(seen, canary.kind);
  parts.reply(ProbeAnswer{false, {}, {}, {make_record(prepared, Path::eager, seen, parts)}});
}

}  // namespace

void serve(const Request& request, const WorkerParts& parts) {
  if (const auto* chunk = std::get_if<ChunkRequest>(&request)) serve_chunk(*chunk, parts);
  if (const auto* probe = std::get_if<ProbeRequest>(&request)) serve_probe(*probe, parts);
  if (const auto* canary = std::get_if<CanaryRequest>(&request)) serve_canary(*canary, parts);
  parts.announce(InFlight{});
}

}  // namespace neuroncheck
