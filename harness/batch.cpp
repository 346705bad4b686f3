#include "harness/batch.h"

#include <algorithm>
#include <map>
#include <set>

namespace neuroncheck {
namespace {

// Cases by compile key, with the traits of the first; one that must be alone makes its whole member so.
struct Grouped {
  Member member;
  Traits traits;
};

std::vector<Grouped> group_by_key(std::span<const Case> cases, const std::function<Traits(const Case&)>& traits) {
  std::vector<Grouped> groups;
  std::map<std::uint64_t, std::size_t> known;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Traits own = traits(cases[i]);
    const auto [at, is_new] = known.emplace(compile_key(cases[i]), groups.size());
    if (is_new) groups.push_back({{}, own});
    Grouped& group = groups[at->second];
    group.member.cases.push_back(i);
    group.traits.alone = group.traits.alone || own.alone;
  }
  return groups;
}

}  // namespace

std::vector<Members> plan_batches(std::span<const Case> cases, const std::function<Traits(const Case&)>& traits, int most) {
  std::vector<Members> batches;
  std::map<Traits, std::size_t> open;  // the batch that still takes members
  const std::size_t limit = static_cast<std::size_t>(std::max(most, 1));
  for (Grouped& group : group_by_key(cases, traits)) {
    const auto found = open.find(group.traits);
    const bool fits = found != open.end() && !group.traits.alone && batches[found->second].size() < limit;
    if (!fits) {
      open[group.traits] = batches.size();
      batches.emplace_back();
    }
    batches[open[group.traits]].push_back(std::move(group.member));
  }
  return batches;
}

void bisect(std::span<const Member> members, const std::function<bool(std::span<const Member>)>& attempt) {
  if (members.empty() || attempt(members) || members.size() == 1) return;
  const std::size_t half = members.size() / 2;
  bisect(members.first(half), attempt);
  bisect(members.subspan(half), attempt);
}

std::vector<std::size_t> repeats_of(const Case& test_case) {
  std::vector<std::size_t> repeats;
  for (const Binding& binding : test_case.bindings) {
    const auto first = std::find(test_case.bindings.begin(), test_case.bindings.end(), binding);
    repeats.push_back(static_cast<std::size_t>(first - test_case.bindings.begin()));
  }
  return repeats;
}

int justified_compilations(const Case& test_case, Path path) {
  if (path == Path::dynamic) return 1;
  const std::vector<std::size_t> repeats = repeats_of(test_case);
  return static_cast<int>(std::set<std::size_t>(repeats.begin(), repeats.end()).size());
}

}  // namespace neuroncheck
