#include "harness/expectation.h"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/json_fields.h"
#include "harness/target.h"

namespace neuroncheck {
namespace {

std::filesystem::path written(const std::string& name, const std::string& text) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(file) << text;
  return file;
}

std::string entry(const std::string& rest) { return R"({"op":"aten::add.Tensor","verdict":"mismatch",)" + rest + "}"; }
const char* const kWhy = R"("issue":"#1","reason":"known")";

std::string refusal_of(const std::string& text) {
  try {
    load_baseline(written("refused.json", text));
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

Expectation known_addition() {
  Expectation entry;
  entry.op = "aten::add.Tensor";
  entry.issue = "#1";
  entry.reason = "known";
  return entry;
}

Record mismatch() {
  Record record;
  record.op = "aten::add.Tensor";
  record.dtype = Dtype::bfloat16;
  record.path = Path::eager;
  record.verdict.kind = VerdictKind::mismatch;
  record.verdict.reason = "value";
  return record;
}

TEST(Baseline, RefusesEntriesNamingTheKey) {
  EXPECT_NE(refusal_of("[" + entry(R"("dtypes":"*","paths":"*","reason":"x")") + "]").find("'issue'"), std::string::npos);
  EXPECT_NE(refusal_of("[" + entry(R"("dtypes":"*","paths":"*","issue":"x")") + "]").find("'reason'"), std::string::npos);
  EXPECT_NE(refusal_of("[" + entry(R"("dtypes":"*","paths":"*","colour":1,)" + std::string(kWhy)) + "]").find("'colour'"), std::string::npos);
  const std::string any = entry(R"("dtypes":"*","paths":"*",)" + std::string(kWhy));
  EXPECT_NE(refusal_of("[" + any + "," + any + "]").find("entries 1 and 2"), std::string::npos);
  EXPECT_NE(refusal_of("[").find("refused.json"), std::string::npos);
}

TEST(Baseline, IsTheSameBytesForEveryone) {
  const std::string a = entry(R"("dtypes":["float32","bfloat16"],"paths":["eager"],"ceiling_ulps":2.5,)" + std::string(kWhy));
  const std::string b = entry(R"("dtypes":["float16"],"paths":"*",)" + std::string(kWhy));
  const Baseline one = load_baseline(written("one.json", "[" + a + "," + b + "]"));
  const Baseline two = load_baseline(written("two.json", "[" + b + "," + a + "]"));
  EXPECT_EQ(canonical_baseline(one), canonical_baseline(two));
  EXPECT_EQ(canonical_baseline(load_baseline(written("three.json", canonical_baseline(one)))), canonical_baseline(one));
}

TEST(Baseline, ExistsEvenWhenEmpty) {
  EXPECT_TRUE(load_baseline(written("empty.json", "[]")).exists);
  EXPECT_FALSE(load_baseline("/does/not/exist.json").exists);
}

TEST(Triage, ExpectsWhatIsListedUpToItsCeiling) {
  Expectation wide = known_addition();
  wide.ceiling_ulps = 2.0;
  Expectation narrow = wide;
  narrow.dtypes = {Dtype::bfloat16};
  narrow.ceiling_ulps = 4.0;
  const Baseline baseline{.exists = true, .entries = {wide, narrow}};
  Record record = mismatch();
  EXPECT_EQ(match(baseline, record), &baseline.entries[1]);
  record.verdict.error_ulps = 40.0;
  EXPECT_EQ(triage(baseline, record), Triage::expected);
  record.verdict.error_ulps = 41.0;
  EXPECT_EQ(triage(baseline, record), Triage::regressed);
  record.op = "aten::sub.Tensor";
  EXPECT_EQ(triage(baseline, record), Triage::first_seen);
  record.verdict.kind = VerdictKind::fallback;
  EXPECT_EQ(triage(baseline, record), Triage::expected);
  record.verdict.kind = VerdictKind::harness_error;
  EXPECT_EQ(triage(baseline, record), Triage::first_seen);
}

TEST(Triage, ReadsInputClasses) {
  Expectation empties = known_addition();
  empties.input_class = InputClass::empty;
  const Baseline baseline{.exists = true, .entries = {empties}};
  Record record = mismatch();
  EXPECT_EQ(triage(baseline, record), Triage::first_seen);
  record.input_classes = {InputClass::zero_dim, InputClass::empty};
  EXPECT_EQ(triage(baseline, record), Triage::expected);
  EXPECT_NE(refusal_of("[" + entry(R"("dtypes":"*","paths":"*","input_class":"tiny",)" + std::string(kWhy)) + "]").find("zero_dim, empty"),
            std::string::npos);
}

TEST(Baseline, HoldsForItsBuildsAlone) {
  Expectation entry = known_addition();
  entry.builds_from = "2.9";
  entry.builds_to = "2.13.1";
  const Baseline baseline{.exists = true, .entries = {entry}};
  EXPECT_EQ(for_build(baseline, "2.13.0").entries.size(), 1U);
  EXPECT_EQ(for_build(baseline, "2.14").entries.size(), 0U);
  EXPECT_EQ(for_build(baseline, "2.8.9").entries.size(), 0U);
  EXPECT_EQ(for_build(baseline, "").entries.size(), 1U);
}

std::string target_refusal(const std::string& name_or_path, const std::filesystem::path& folder) {
  try {
    load_target(name_or_path, folder);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Target, IsReadStrictly) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "targets";
  std::filesystem::create_directories(folder);
  written("targets/good.json", R"({"name":"good","device":"neuron","paths":["eager","compiled"],"compile_backend":"neuron"})");
  const Target target = load_target("good", folder);
  EXPECT_EQ(target.device, "neuron");
  EXPECT_EQ(target.paths, (std::vector<Path>{Path::eager, Path::compiled}));
  EXPECT_EQ(load_target((folder / "good.json").string(), "/nowhere"), target);
  EXPECT_NE(target_refusal("better", folder).find("good"), std::string::npos);
  const std::string typo = written("typo.json", R"({"name":"typo","devise":"neuron"})").string();
  EXPECT_NE(target_refusal(typo, folder).find("'devise'"), std::string::npos);
  EXPECT_NE(target_refusal(typo, folder).find("typo.json"), std::string::npos);
  EXPECT_NE(target_refusal("/nowhere/x.json", folder).find("cannot be read"), std::string::npos);
}

}  // namespace
}  // namespace neuroncheck
