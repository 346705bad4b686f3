// The compiled paths of a target: many programs in one graph, every value set through it, the culprit of a failing graph found by halving.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "harness/batch.h"
#include "harness/observer.h"
#include "harness/program.h"
#include "harness/python_host.h"
#include "harness/target.h"

namespace neuroncheck {

// The function that is compiled: all tensors of all programs first, then the symbols of those that have any (only where `open_symbols`).
enum class Symbols : std::uint8_t { bound, open };
std::string batch_source(std::span<const Case* const> programs, Symbols symbols, const std::string& device);

// Grouping, from the operators' schemas and a plain CPU run of the forward program.
Traits traits_of(const Case& test_case, Path path);

class CompileSession {
 public:
  CompileSession(const Target& target, PythonHost& python, const Observer& observer);

  std::vector<Observation> run_all(std::span<const Case> cases, Path path, int batch);

 private:
  struct Attempt;

  Traits traits_with_history(const Case& test_case, Path path) const;
  bool attempt(std::span<const Case> cases, Path path, std::span<const Member> members, std::vector<Observation>& seen);
  void remember(const Case& test_case, const Observation& seen);

  const Target& target_;
  PythonHost& python_;
  const Observer& observer_;
  std::set<std::string> suspects_;  // ops that did not compile when alone: kept away from others
  std::size_t batches_ = 0;
};

}  // namespace neuroncheck
