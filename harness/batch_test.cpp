#include "harness/batch.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <set>

namespace neuroncheck {
namespace {

Case with_size(std::int64_t size, std::uint64_t seed) {
  Case test_case;
  test_case.program.inputs.resize(1);
  test_case.program.inputs[0].sizes = {Dim{size, -1}};
  test_case.program.inputs[0].fill.seed = seed;
  return test_case;
}

Members numbered(std::size_t count) {
  Members members;
  for (std::size_t i = 0; i < count; ++i) members.push_back({{i}});
  return members;
}

TEST(Batch, PutsValueSetsOfOneKeyTogether) {
  const std::vector<Case> cases = {with_size(2, 1), with_size(3, 1), with_size(2, 9)};
  const auto batches = plan_batches(
      cases, [](const Case&) { return Traits{}; }, 8);
  ASSERT_EQ(batches.size(), 1u);
  ASSERT_EQ(batches[0].size(), 2u);
  EXPECT_EQ(batches[0][0].cases, (std::vector<std::size_t>{0, 2}));
}

TEST(Batch, KeepsWhatIsExpectedToFailAlone) {
  const std::vector<Case> cases = {with_size(2, 1), with_size(3, 1), with_size(4, 1)};
  const auto traits = [](const Case& test_case) { return Traits{.alone = test_case.program.inputs[0].sizes[0].size == 3}; };
  EXPECT_EQ(plan_batches(cases, traits, 8).size(), 2u);
}

RC_GTEST_PROP(Batch, HoldsEveryCaseOnce, (std::vector<std::uint8_t> sizes)) {
  std::vector<Case> cases;
  for (const std::uint8_t size : sizes) cases.push_back(with_size(size % 16, size));
  const auto traits = [](const Case& test_case) { return Traits{.mutates = test_case.program.inputs[0].sizes[0].size % 2 == 0}; };
  std::multiset<std::size_t> seen;
  for (const Members& members : plan_batches(cases, traits, 3)) {
    RC_ASSERT(members.size() <= 3u);
    for (const Member& member : members) seen.insert(member.cases.begin(), member.cases.end());
  }
  std::multiset<std::size_t> all;
  for (std::size_t i = 0; i < cases.size(); ++i) all.insert(i);
  RC_ASSERT(seen == all);
}

RC_GTEST_PROP(Batch, BisectionEndsAtTheCulpritsAlone, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 40);
  const auto culprits = *rc::gen::container<std::set<std::size_t>>(rc::gen::inRange<std::size_t>(0, count));
  std::set<std::size_t> passed, failed;
  const Members members = numbered(count);
  bisect(members, [&](std::span<const Member> part) {
    for (const Member& member : part) {
      if (!culprits.contains(member.cases[0])) continue;
      if (part.size() == 1) failed.insert(member.cases[0]);
      return false;
    }
    for (const Member& member : part) passed.insert(member.cases[0]);
    return true;
  });
  RC_ASSERT(failed == culprits);
  RC_ASSERT(passed.size() + failed.size() == count);
}

TEST(Batch, CountsTheCompilationsThatShapesJustify) {
  Case test_case;
  test_case.bindings = {{{4}}, {{7}}, {{4}}};
  EXPECT_EQ(repeats_of(test_case), (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(justified_compilations(test_case, Path::compiled), 2);
  EXPECT_EQ(justified_compilations(test_case, Path::dynamic), 1);
  EXPECT_EQ(justified_compilations(Case{}, Path::compiled), 1);
}

}  // namespace
}  // namespace neuroncheck
