#include "oracles/judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/batch.h"
#include "oracles/aggregate.h"
#include "oracles/error_conformance.h"
#include "oracles/structural.h"
#include "oracles/value_check.h"
#include "oracles/weak_oracles.h"

namespace neuroncheck::oracles {
namespace {

constexpr std::array<std::string_view, 6> kNumericLines = {"rounding", "accumulator",  "accumulator_factor",
                                                           "height",   "function_ulp", "default_function_ulp"};

Verdict make(VerdictKind kind, std::string reason, std::string oracle) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.reason = std::move(reason);
  verdict.oracle = std::move(oracle);
  return verdict;
}

// Everything that applies; the first of the highest rank is the verdict, the others become its flags.
class Findings {
 public:
  void add(Verdict verdict) { all_.push_back(std::move(verdict)); }

  Verdict primary() && {
    Verdict pass = make(VerdictKind::pass, "", "");
    if (all_.empty()) return pass;
    const auto rank = [](const Verdict& a, const Verdict& b) { return rank_of(a.kind) < rank_of(b.kind); };
    const auto worst = std::max_element(all_.begin(), all_.end(), rank);
    Verdict verdict = std::move(*worst);
    for (auto it = all_.begin(); it != all_.end(); ++it) {
      if (it != worst) add_flags(verdict, *it);
    }
    return verdict;
  }

 private:
  static void add_flags(Verdict& verdict, const Verdict& other) {
    verdict.flags.push_back(other.kind == verdict.kind ? other.reason : std::string(name_of(other.kind)));
    verdict.flags.insert(verdict.flags.end(), other.flags.begin(), other.flags.end());
  }

  std::vector<Verdict> all_;
};

const Observation& plain_of(const Question& question) {
  if (!is_backward(question.path)) return question.structure;
  if (question.structure_backward == nullptr) throw std::logic_error("a backward path without a plain backward run");
  return *question.structure_backward;
}

Verdict judge_both_raised(const Question& question, const Raised& plain, const Raised& seen) {
  const std::string_view expected = conforming_class(plain.error_class);
  if (conforming_class(seen.error_class) == expected) return make(VerdictKind::pass, "", "error");
  if (find_documented_error(question.profile, question.test_case, seen) != nullptr) {
    Verdict verdict = make(VerdictKind::pass, "", "error");
    verdict.flags = {"documented_error"};
    return verdict;
  }
  Verdict verdict = classify_error(seen, question.test_case, question.target);
  if (verdict.kind != VerdictKind::unexpected_error) return verdict;
  verdict.kind = VerdictKind::wrong_error;
  verdict.reason = seen.error_class;
  verdict.detail = fmt::format("{} in place of {}: {}", seen.error_class, expected, verdict.detail).substr(0, 4096);
  return verdict;
}

Verdict judge_missing_error(const Question& question, const Raised& plain) {
  for (const Node& node : question.test_case.program.nodes) {
    const Personality* known = find_personality(question.profile, node.op, "index_out_of_range");
    if (known == nullptr || plain.error_class != "IndexError") continue;
    Verdict verdict = make(VerdictKind::pass, "", "error");
    verdict.flags = {"personality"};
    return verdict;
  }
  Verdict verdict = make(VerdictKind::missing_error, plain.error_class, "error");
  verdict.cause = normal_cause(plain.text);
  verdict.detail = fmt::format("expected {}: {}", plain.error_class, plain.text).substr(0, 4096);
  return verdict;
}

Verdict judge_error(const Question& question, const Raised& seen) {
  Verdict verdict = classify_error(seen, question.test_case, question.target);
  if (find_documented_error(question.profile, question.test_case, seen) == nullptr) return verdict;
  verdict.kind = VerdictKind::refused;
  verdict.cause = "documented_error";
  return verdict;
}

class ReturnedJudge {
 public:
  ReturnedJudge(const Question& question, const Returned& plain, const Returned& seen)
      : question_(question), reference_(*question.reference), plain_(plain), seen_(seen) {}

  Verdict run() && {
    const std::optional<Deviation> structure = compare_structure();
    const bool comparable = !structure || (structure->reason != "dtype" && structure->reason != "shape");
    if (comparable) judge_values();
    // After the values: a wrong value must not hide behind a layout that is known to differ.
    if (structure && !is_torchs_own(*structure)) add_structural(*structure);
    if (comparable) judge_inputs();
    judge_placement();
    if (is_compiled(question_.path)) judge_compilation();
    Verdict verdict = std::move(findings_).primary();
    describe(verdict);
    return verdict;
  }

 private:
  std::optional<Deviation> compare_structure() const {
    const std::string& device = question_.target.device;
    return is_backward(question_.path) ? compare_gradients(plain_, seen_, device) : compare_outputs(plain_, seen_, device);
  }

  // Strides that libtorch's CPU fallback or torch's decompositions give are not the device's doing. Everything else must be as in the plain run.
  bool is_torchs_own(const Deviation& deviation) {
    const bool may_be = runs_a_given_graph() || fell_back();
    if (deviation.reason != "stride" || !may_be || !question_.torchs_own_layout) return false;
    if (compare_outputs(plain_, seen_, question_.target.device, Strides::ignored)) return false;
    const Observation own = question_.torchs_own_layout();
    const Returned* returned = std::get_if<Returned>(&own.outcome);
    torchs_strides_ = returned != nullptr && differ_in_strides_as(*returned, plain_, seen_);
    return torchs_strides_;
  }

  void add_structural(const Deviation& deviation) {
    Verdict verdict = make(VerdictKind::mismatch, deviation.reason, "structural");
    verdict.detail = deviation.detail;
    verdict.cause = deviation.reason;
    findings_.add(std::move(verdict));
  }

  void judge_values() {
    const AcceptanceOptions options = options_for(question_.test_case.program, question_.path, question_.profile);
    values_ = check_values(reference_, seen_, question_.path, options);
    if (values_.outside > 0 && question_.profile.demotes_float64 && fell_back() && question_.partly_on_host) {
      values_ = check_values(question_.partly_on_host(), seen_, question_.path, options);
    }
    const std::optional<std::string> bias = values_.outside == 0 ? find_any_bias() : std::nullopt;
    if ((values_.outside > 0 || bias) && is_the_cpus_own()) {
      add_excused("cpu_numerics");
    } else if ((values_.outside > 0 || bias) && is_the_graphs_own()) {
      add_excused("graph_numerics");
    } else if (values_.outside > 0) {
      add_outside();
    } else if (bias) {
      Verdict verdict = make(VerdictKind::mismatch, "value", "aggregate");
      verdict.cause = "biased";
      verdict.detail = *bias;
      findings_.add(std::move(verdict));
    } else if (values_.blind) {
      findings_.add(make(VerdictKind::weak_case, "wide", oracle_name()));
    }
  }

  bool fell_back() const { return question_.seen.evidence.placement == Placement::fallback; }

  // The CPU's kernels made these bits: their numerics are not those that the target's profile describes, and outside its bound they prove nothing.
  // Host targets run CPU kernels inside compiled graphs, too; their eager paths are CPU kernels by definition, and the target `cpu` exists to judge
  // those.
  bool is_the_cpus_own() const {
    const bool compiled_for_host = question_.target.evidence == "host" && is_compiled(question_.path);
    return (fell_back() || compiled_for_host) && !question_.judges_the_cpu && (same_bits(plain_, seen_) || is_the_cpus_own_contiguously());
  }

  // Fallbacks and compiled graphs may hand a CPU kernel contiguous copies, and in which order it rounds depends on strides.
  bool is_the_cpus_own_contiguously() const { return has_bits_of(question_.plain_contiguous); }

  bool has_bits_of(const std::function<Observation()>& run) const {
    if (!run || question_.judges_the_cpu) return false;
    const Observation other = run();
    const Returned* returned = std::get_if<Returned>(&other.outcome);
    return returned != nullptr && same_bits(*returned, seen_);
  }

  // The graph that torch makes of an op may compute otherwise than the op does: round to 16 bits between its steps, cancel, lose a NaN, lay out its
  // result in another way. A device that runs the graph faithfully answers for none of it; a compiler for the host is judged with its graphs.
  bool runs_a_given_graph() const { return is_compiled(question_.path) && question_.target.evidence != "host"; }

  bool is_the_graphs_own() const { return runs_a_given_graph() && has_bits_of(question_.torchs_own); }

  void add_excused(const std::string& whose) {
    Verdict verdict = make(VerdictKind::weak_case, whose, oracle_name());
    verdict.flags.push_back(whose);
    findings_.add(std::move(verdict));
  }

  std::string oracle_name() const {
    if (values_.reason == "index" || values_.reason == "order") return "ordering";
    return values_.bounded ? "interval" : "exact";
  }

  void add_outside() {
    Verdict verdict = make(is_within_permissive() ? VerdictKind::imprecise : VerdictKind::mismatch, values_.reason, oracle_name());
    verdict.cause = values_.reason;  // no share of wrong elements: it changes while a case shrinks, and a shrunk case must keep its cause
    verdict.worst = values_.worst;
    verdict.detail = fmt::format("{} of {} elements outside", values_.outside, values_.elements);
    if (rests_on_assumption()) verdict.flags.push_back("assumed_profile");
    findings_.add(std::move(verdict));
  }

  bool is_within_permissive() const {
    if (!question_.permissive) return false;
    const Profile& profile = question_.permissive_profile != nullptr ? *question_.permissive_profile : question_.profile;
    const AcceptanceOptions options = options_for(question_.test_case.program, question_.path, profile);
    return check_values(question_.permissive(), seen_, question_.path, options).outside == 0;
  }

  bool rests_on_assumption() const {
    const std::set<std::string>& assumed = question_.profile.assumed;
    if (!values_.bounded) return assumed.contains("rounding");
    return std::any_of(kNumericLines.begin(), kNumericLines.end(), [&](std::string_view line) { return assumed.contains(std::string(line)); });
  }

  std::optional<std::string> find_any_bias() const {
    if (is_backward(question_.path) || !aggregate_applies(question_.test_case, question_.profile)) return std::nullopt;
    for (std::size_t step = 0; step < seen_.steps.size(); ++step) {
      for (std::size_t i = 0; i < seen_.steps[step].outputs.size(); ++i) {
        if (auto bias = find_bias(reference_.steps[step].outputs[i], seen_.steps[step].outputs[i])) return bias;
      }
    }
    return std::nullopt;
  }

  void judge_inputs() {
    std::vector<std::vector<int>> mutated;
    for (const ReferenceStep& step : reference_.steps) mutated.push_back(step.mutated_inputs);
    if (const std::optional<Deviation> deviation = compare_inputs_after(plain_, seen_, mutated)) add_structural(*deviation);
  }

  void judge_placement() {
    const PlacementEvidence& evidence = question_.seen.evidence;
    if (evidence.placement == Placement::fallback) {
      std::set<std::string> ops;
      for (const FallbackUse& use : evidence.fallbacks) ops.insert(use.op);
      Verdict verdict = make(VerdictKind::fallback, ops.empty() ? "" : *ops.begin(), "placement");
      verdict.cause = fmt::format("{}", fmt::join(ops, ", "));
      verdict.detail = fmt::format("{}", fmt::join(evidence.disagreements, "; "));
      findings_.add(std::move(verdict));
    }
    if (evidence.placement == Placement::unproven) {
      Verdict verdict = make(VerdictKind::weak_case, "unproven", "placement");
      verdict.flags.push_back("unproven");
      verdict.detail = fmt::format("{}", fmt::join(evidence.disagreements, "; "));
      findings_.add(std::move(verdict));
    }
  }

  void judge_compilation() {
    const CompileCounters& counters = question_.seen.counters;
    if (counters.graph_breaks > 0 || counters.per_op_dispatches > 0) {
      Verdict verdict = make(VerdictKind::graph_break, counters.graph_breaks > 0 ? "graph_break" : "eager_inside", "placement");
      verdict.cause = normal_cause(counters.break_reason);
      verdict.detail =
          fmt::format("{} graph breaks, {} ops dispatched one by one: {}", counters.graph_breaks, counters.per_op_dispatches, counters.break_reason);
      findings_.add(std::move(verdict));
    }
    const int justified = justified_compilations(question_.test_case, question_.path);
    if (counters.compilations <= justified) return;
    Verdict verdict = make(VerdictKind::recompiles, "", "placement");
    verdict.detail = fmt::format("{} compilations for {} shapes", counters.compilations, justified);
    findings_.add(std::move(verdict));
  }

  void describe(Verdict& verdict) const {
    if (verdict.oracle.empty()) verdict.oracle = values_.elements > 0 ? oracle_name() : "structural";
    verdict.strength = reference_.strength;
    verdict.error_ulps = values_.error_ulps;
    verdict.bound_share = values_.bound_share;
    if (torchs_strides_) verdict.flags.push_back("torchs_strides");
    if (!question_.seen.evidence.disagreements.empty()) verdict.flags.push_back("evidence_disagrees");
    if (verdict.kind != VerdictKind::mismatch && verdict.kind != VerdictKind::imprecise) return;
    const WeakSight sight = weak_sight(plain_, seen_);
    verdict.weak_default_sees = sight.by_default;
    verdict.weak_vendor_sees = sight.by_vendor;
  }

  const Question& question_;
  const Reference& reference_;
  const Returned& plain_;
  const Returned& seen_;
  Acceptance values_;
  Findings findings_;
  bool torchs_strides_ = false;
};

Verdict judge_outcome(const Question& question) {
  const Observation& plain = plain_of(question);
  if (const Died* died = std::get_if<Died>(&plain.outcome)) return judge_death(*died, Stage::structure, question.target);
  if (const Died* died = std::get_if<Died>(&question.seen.outcome)) return judge_death(*died, Stage::subject, question.target);
  const Raised* plain_raised = std::get_if<Raised>(&plain.outcome);
  const Raised* seen_raised = std::get_if<Raised>(&question.seen.outcome);
  if (plain_raised != nullptr && seen_raised != nullptr) return judge_both_raised(question, *plain_raised, *seen_raised);
  if (plain_raised != nullptr) return judge_missing_error(question, *plain_raised);
  if (seen_raised != nullptr) return judge_error(question, *seen_raised);
  if (question.reference == nullptr) throw std::logic_error("the plain run returned, but there is no reference");
  return ReturnedJudge(question, std::get<Returned>(plain.outcome), std::get<Returned>(question.seen.outcome)).run();
}

}  // namespace

Verdict judge(const Question& question) {
  try {
    return judge_outcome(question);
  } catch (const std::logic_error& error) {
    Verdict verdict = make(VerdictKind::harness_error, "judge", "");
    verdict.cause = normal_cause(error.what());
    verdict.detail = error.what();
    return verdict;
  }
}

Verdict judge_death(const Died& died, Stage stage, const Target& target) {
  const std::string how = died.deadline ? "deadline" : fmt::format("signal {}", died.signal);
  const bool in_cpu_kernel = stage == Stage::structure || stage == Stage::reference;
  if (in_cpu_kernel && target.name != "cpu") return make(VerdictKind::skipped, "reference_died", "");
  const bool in_subject = in_cpu_kernel || stage == Stage::subject || stage == Stage::batch;
  const VerdictKind of_subject = died.deadline ? VerdictKind::timeout : VerdictKind::crash;
  Verdict verdict = make(in_subject ? of_subject : VerdictKind::harness_error, how, "");
  verdict.cause = in_subject ? how : fmt::format("died while it was at stage {}: {}", name_of(stage), how);
  return verdict;
}

}  // namespace neuroncheck::oracles
