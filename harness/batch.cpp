#include "harness/batch.h"

#include <algorithm>
#include <map>

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

}  // namespace neuroncheck
