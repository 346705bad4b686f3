#include "harness/compile_session.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/eager_run.h"
#include "harness/program_runner.h"
#include "harness/stopwatch.h"
#include "harness/subject_error.h"

namespace neuroncheck {
namespace {

Symbols symbols_for(const Case& first, Path path) { return path == Path::dynamic || first.bindings.size() > 1 ? Symbols::open : Symbols::bound; }

}  // namespace

// One graph: its programs, and what each of their cases did so far.
struct CompileSession::Attempt {
  std::span<const Case> cases;
  std::span<const Member> members;
  Path path;
  PythonHost& python;
  const Observer& observer;

  std::map<std::size_t, Returned> returned;  // by case
  std::map<std::size_t, Findings> findings;
  std::map<std::size_t, double> run_us;
  std::map<std::size_t, Raised> raised;

  // A member with fewer value sets than the others repeats its last.
  std::size_t case_of(const Member& member, std::size_t round) const { return member.cases[std::min(round, member.cases.size() - 1)]; }
  static bool counts(const Member& member, std::size_t round) { return round < member.cases.size(); }

  std::size_t rounds() const {
    std::size_t most = 0;
    for (const Member& member : members) most = std::max(most, member.cases.size());
    return most;
  }

  StepOf step_of(const Member& member, std::size_t round, std::size_t step) const {
    return {cases[case_of(member, round)], path, step, observer.device};
  }

  std::vector<std::int64_t> numbers(std::size_t round, std::size_t step, Symbols symbols) const {
    std::vector<std::int64_t> all;
    for (const Member& member : members) {
      const Case& test_case = cases[case_of(member, round)];
      const SymbolValues& bound = test_case.bindings.at(step).symbols;
      for (int s = 0; symbols == Symbols::open && s < test_case.program.symbols; ++s) all.push_back(bound.at(static_cast<std::size_t>(s)));
    }
    return all;
  }

  // The gradients of all programs at once: there is one backward graph.
  std::vector<std::vector<at::Tensor>> backward(const std::vector<std::vector<at::Tensor>>& inputs,
                                                const std::vector<std::vector<at::Tensor>>& outputs, std::size_t round, std::size_t step) const {
    std::vector<at::Tensor> roots, leaves, grad_outputs;
    for (std::size_t m = 0; m < members.size(); ++m) {
      for (const std::size_t output : differentiable_outputs(outputs[m])) roots.push_back(outputs[m][output]);
      for (const at::Tensor& grad : grad_outputs_of(step_of(members[m], round, step), outputs[m])) grad_outputs.push_back(grad);
      for (const at::Tensor& leaf : leaves_of(inputs[m])) leaves.push_back(leaf);
    }
    std::vector<at::Tensor> gradients(leaves.size());
    if (!roots.empty() && !leaves.empty()) gradients = python.gradients(roots, leaves, grad_outputs);
    std::vector<std::vector<at::Tensor>> by_member;
    auto next = gradients.begin();
    for (std::size_t m = 0; m < members.size(); ++m) {
      const auto end = next + static_cast<std::ptrdiff_t>(leaves_of(inputs[m]).size());
      by_member.emplace_back(next, end);
      next = end;
    }
    return by_member;
  }

  // One call of the graph. What it saw is booked on every case that takes part.
  void call(std::size_t round, std::size_t step, Symbols symbols) {
    std::vector<std::vector<at::Tensor>> inputs;
    std::vector<at::Tensor> flat;
    for (const Member& member : members) {
      inputs.push_back(make_inputs(step_of(member, round, step)));
      flat.insert(flat.end(), inputs.back().begin(), inputs.back().end());
    }
    observer.start();
    const Stopwatch watch;
    std::vector<std::vector<at::Tensor>> outputs;
    try {
      outputs = python.call_batch(flat, numbers(round, step, symbols));
      if (is_backward(path)) outputs = backward(inputs, outputs, round, step);
      observer.finish();
    } catch (const std::exception&) {
      observer.stop();
      throw;
    }
    const double microseconds = watch.microseconds();
    const Findings seen = observer.stop();
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (!counts(members[m], round)) continue;
      const std::size_t index = case_of(members[m], round);
      returned[index].steps.push_back(read_step(step_of(members[m], round, step), outputs[m], inputs[m]));
      merge(findings[index], seen);
      run_us[index] += microseconds / static_cast<double>(members.size());
    }
  }

  // Books the current exception on the only member there is; false: there are several, and the batch has to be split.
  bool blame(std::size_t round, std::size_t step) {
    if (members.size() > 1) return false;
    Raised what = python.raised_from(std::current_exception());
    what.step = step;
    raised[case_of(members.front(), round)] = std::move(what);
    return true;
  }

  bool compile(const std::string& name, const std::string& source, const CompileSettings& settings) {
    try {
      python.compile_batch(name, source, settings);
      return true;
    } catch (const PythonRaised&) {
      if (!blame(0, 0)) return false;
    }
    raised.begin()->second.while_compiling = true;
    return true;
  }

  // Values do not change what compiles: the later value sets would meet the same error. Returns whether there is one.
  bool spread_compile_error(std::size_t round) {
    const Member& member = members.front();
    const auto found = raised.find(case_of(member, round));
    if (found == raised.end() || !found->second.while_compiling) return false;
    const Raised what = found->second;
    for (std::size_t later = round; later < member.cases.size(); ++later) raised.emplace(member.cases[later], what);
    return true;
  }

  bool run_round(std::size_t round, Symbols symbols) {
    const std::size_t index = case_of(members.front(), round);
    for (std::size_t step = 0; step < cases[index].bindings.size(); ++step) {
      try {
        call(round, step, symbols);
      } catch (const std::exception&) {
        return blame(round, step);
      }
    }
    return true;
  }

  bool run_rounds(Symbols symbols) {
    if (spread_compile_error(0)) return true;
    for (std::size_t round = 0; round < rounds(); ++round) {
      if (!run_round(round, symbols)) return false;
      if (spread_compile_error(round)) return true;
    }
    return true;
  }
};

CompileSession::CompileSession(const Target& target, PythonHost& python, const Observer& observer)
    : target_(target), python_(python), observer_(observer) {}

std::vector<Observation> CompileSession::run_all(std::span<const Case> cases, Path path, int batch) {
  std::vector<Observation> seen(cases.size());
  const auto traits = [&](const Case& test_case) { return traits_with_history(test_case, path); };
  for (const Members& members : plan_batches(cases, traits, batch))
    bisect(members, [&](std::span<const Member> part) { return attempt(cases, path, part, seen); });
  return seen;
}

Traits CompileSession::traits_with_history(const Case& test_case, Path path) const {
  Traits traits = traits_of(test_case, path);
  for (const Node& node : test_case.program.nodes) traits.alone = traits.alone || suspects_.contains(node.op);
  return traits;
}

void CompileSession::remember(const Case& test_case, const Observation& seen) {
  const auto* raised = std::get_if<Raised>(&seen.outcome);
  for (const Node& node : test_case.program.nodes) {
    if (test_case.program.nodes.size() == 1 && raised != nullptr && raised->while_compiling) suspects_.insert(node.op);
    if (raised == nullptr) suspects_.erase(node.op);
  }
}

namespace {

// Whose fault it is cannot be told while several share the graph.
bool needs_blame(const CompilerReading& compiler, int expected, const std::map<std::size_t, Findings>& findings) {
  if (compiler.graphs > expected || compiler.graph_breaks > 0) return true;
  return std::any_of(findings.begin(), findings.end(),
                     [](const auto& of_case) { return of_case.second.sighting.dispatches > 0 || !of_case.second.sighting.fallbacks.empty(); });
}

CompileCounters counters_of(const CompilerReading& compiler, const Findings& findings, const Observation& seen) {
  CompileCounters counters{compiler.graphs, compiler.graphs, compiler.graph_breaks, findings.sighting.dispatches, compiler.break_reason};
  const auto* raised = std::get_if<Raised>(&seen.outcome);
  if (raised != nullptr && raised->error_class == "Unsupported") {  // with fullgraph a break is an exception
    counters.graph_breaks = std::max(counters.graph_breaks, 1);
    counters.break_reason = raised->text.substr(0, raised->text.find('\n'));
  }
  return counters;
}

}  // namespace

bool CompileSession::attempt(std::span<const Case> cases, Path path, std::span<const Member> members, std::vector<Observation>& seen) {
  Attempt graph{cases, members, path, python_, observer_, {}, {}, {}, {}};
  std::vector<const Case*> programs;
  for (const Member& member : members) programs.push_back(&cases[member.cases.front()]);
  const Symbols symbols = symbols_for(*programs.front(), path);
  const CompileSettings settings{target_.compile_backend, path == Path::dynamic ? "dynamic" : "static"};
  const std::string source = batch_source(programs, symbols, target_.device);
  if (!graph.compile(fmt::format("<batch {}>", batches_++), source, settings) || !graph.run_rounds(symbols)) return false;
  const CompilerReading compiler = python_.read_compiler();
  if (members.size() > 1 && needs_blame(compiler, justified_compilations(*programs.front(), path), graph.findings)) return false;
  for (const Member& member : members) {
    const double compile_us = compiler.compile_us / static_cast<double>(members.size() * member.cases.size());
    for (const std::size_t index : member.cases) {
      Observation& observation = seen[index];
      const auto raised = graph.raised.find(index);
      if (raised != graph.raised.end())
        observation.outcome = raised->second;
      else
        observation.outcome = std::move(graph.returned[index]);
      observation.counters = counters_of(compiler, graph.findings[index], observation);
      observation.evidence =
          target_.evidence == "host" ? conclude_host(path, observation.counters) : conclude_compiled(graph.findings[index], observation.counters);
      observation.compile_us = compile_us;
      observation.run_us =
          std::max(graph.run_us[index] - (index == member.cases.front() ? compiler.compile_us / static_cast<double>(members.size()) : 0.0), 0.0);
      observation.batch = static_cast<int>(members.size());
      if (members.size() == 1) remember(cases[index], observation);
    }
  }
  return true;
}

}  // namespace neuroncheck
