#include <gtest/gtest.h>

#include <map>
#include <set>

#include "harness/hazards.h"
#include "harness/user_error.h"
#include "suites/row.h"
#include "suites/suite.h"

namespace neuroncheck {
namespace {

constexpr int kKeys = 8;

// Shares of what the whole catalogue draws, in percent of its inputs or cases.
struct Counts {
  std::map<std::string, int> seen;
  int inputs = 0;

  int percent(const std::string& what) { return 100 * seen[what] / inputs; }
};

void count(const TensorSpec& spec, Counts& counts) {
  ++counts.inputs;
  const auto sizes = sizes_of(spec, {5});
  counts.seen["scalar"] += sizes.empty();
  counts.seen["empty"] += element_count(sizes) == 0;
  counts.seen["strided"] += spec.layout != LayoutKind::contiguous;
  counts.seen["special"] += spec.fill.kind == FillKind::special;
  counts.seen["exact"] += spec.fill.kind == FillKind::exact_integer;
  bool large = false;
  for (const std::int64_t size : sizes) {
    large = large || size >= 127;
  }
  counts.seen["large"] += large;
}

Counts count_all() {
  Counts counts;
  for (const Row& row : catalogue()) {
    for (int n = 0; n < 64; ++n) {
      for (const TensorSpec& spec : draw(row, 1, n, kKeys).test_case.program.inputs) {
        count(spec, counts);
      }
    }
  }
  return counts;
}

TEST(Catalogue, DrawsNothingThatDestroysTheHeap) {
  for (const Row& row : catalogue()) {
    if (row.invalid) continue;  // raises before any kernel runs
    for (int n = 0; n < 2000; ++n) ASSERT_TRUE(is_harmless(draw(row, 1, n, kKeys).test_case)) << row.name << " " << n;
  }
}

TEST(Catalogue, NamesAreUnique) {
  std::set<std::string> names;
  for (const Row& row : catalogue()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(find_row(row.name), &row);
  }
}

TEST(Catalogue, IsWide) {
  int ops = 0;
  for (const Row& row : catalogue()) {
    ops += row.invalid ? 0 : 1;
  }
  EXPECT_GE(ops, 110);
}

TEST(Catalogue, EveryRowDrawsEveryKey) {
  for (const Row& row : catalogue()) {
    for (std::int64_t n = 0; n < static_cast<std::int64_t>(row.dtypes.size()) * kKeys; ++n) {
      EXPECT_NO_THROW(draw(row, 1, n, kKeys)) << row.name << " " << n;
    }
  }
}

TEST(Draw, IsPure) {
  for (const Row& row : catalogue()) {
    EXPECT_EQ(draw(row, 7, 19, kKeys).test_case, draw(row, 7, 19, kKeys).test_case) << row.name;
  }
}

TEST(Draw, ValueSetsOfASlotShareTheCompileKey) {
  for (const Row& row : catalogue()) {
    const auto step = static_cast<std::int64_t>(row.dtypes.size()) * kKeys;
    EXPECT_EQ(compile_key(draw(row, 7, 3, kKeys).test_case), compile_key(draw(row, 7, 3 + step, kKeys).test_case)) << row.name;
  }
}

TEST(Draw, DependsOnNameNotOnPosition) {
  const Row copy = catalogue().back();
  EXPECT_EQ(draw(copy, 7, 5, kKeys).test_case, draw(catalogue().back(), 7, 5, kKeys).test_case);
  const Row& unary = *find_row("exp");
  Row renamed = unary;
  renamed.name = "exp/other";
  EXPECT_NE(draw(renamed, 7, 5, kKeys).test_case, draw(unary, 7, 5, kKeys).test_case);
}

TEST(Draw, SeesTheEdges) {
  Counts counts = count_all();
  EXPECT_GE(counts.percent("scalar"), 5);
  EXPECT_GE(counts.percent("empty"), 5);
  EXPECT_GE(counts.percent("strided"), 30);
  EXPECT_GE(counts.percent("special"), 5);
  EXPECT_GE(counts.percent("exact"), 3);
  EXPECT_GE(counts.percent("large"), 10);
}

TEST(Draw, GradientsNeedADifferentiableRow) {
  for (const Row& row : catalogue()) {
    bool some = false;
    for (int n = 0; n < 64; ++n) {
      some = some || !draw(row, 1, n, kKeys).test_case.backward.empty();
    }
    EXPECT_EQ(some, row.differentiable) << row.name;
  }
}

TEST(Suite, ShippedOnesLoad) {
  for (const std::string name : {"conformance", "full"}) {
    const Suite suite = load_suite(name, NEURONCHECK_SUITES);
    EXPECT_EQ(suite.name, name);
    EXPECT_EQ(rows_of(suite).size(), catalogue().size());
  }
}

TEST(Suite, GlobsAreOfRowsOfItsSources) {
  const Suite suite = load_suite("opinfo", NEURONCHECK_SUITES);
  EXPECT_EQ(suite.sources, std::vector<std::string>{"opinfo"});
  EXPECT_THROW(rows_of(suite), UserError);  // nothing has captured them here
}

TEST(Catalogue, CountedStructuresAreAllDrawn) {
  for (const Row& row : catalogue()) {
    if (row.slots == 0) continue;
    EXPECT_EQ(keys_of(row, 8), row.slots) << row.name;
    const auto dtypes = static_cast<std::int64_t>(row.dtypes.size());
    EXPECT_EQ(draw(row, 1, dtypes * row.slots, 8).test_case.program.nodes, draw(row, 1, 0, 8).test_case.program.nodes) << row.name;
  }
}

TEST(Suite, UnknownNamesTheKnown) {
  try {
    load_suite("conformanse", NEURONCHECK_SUITES);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("conformance, full, opinfo"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace neuroncheck
