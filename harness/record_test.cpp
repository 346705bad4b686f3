#include "harness/record.h"

#include <gtest/gtest.h>

#include <limits>

#include "harness/json_fields.h"
#include "harness/plan.h"

namespace neuroncheck {
namespace {

Record full_record() {
  Record record;
  record.position = {.row = "softmax", .n = 12, .children = {0, 3}};
  record.op = "aten::_softmax";
  record.dtype = Dtype::bfloat16;
  record.path = Path::compiled_backward;
  record.verdict.kind = VerdictKind::mismatch;
  record.verdict.reason = "value";
  record.verdict.flags = {"unproven"};
  record.verdict.error_ulps = std::numeric_limits<double>::infinity();
  record.verdict.bound_share = 0.1;
  record.verdict.worst =
      WorstElement{.step = 1, .output = 0, .what = "gradient", .index = {1, 2}, .got = "nan", .expected = "1", .low = "0", .high = "2"};
  record.verdict.weak_default_sees = false;
  record.evidence.placement = Placement::fallback;
  record.evidence.fallbacks = {{.op = "aten::_softmax", .copies = 2, .bytes = 64}};
  record.counters.graphs = 1;
  record.compile_key = 0xFFFFFFFFFFFFFFFF;
  record.case_id = "0123456789abcdef";
  return record;
}

TEST(Record, SurvivesItsJson) {
  const nlohmann::json json = full_record();
  const auto after = parse_json(dump(json), "test").get<Record>();
  EXPECT_EQ(nlohmann::json(after), json);
  EXPECT_EQ(after.position, full_record().position);
  EXPECT_EQ(after.verdict.error_ulps, std::numeric_limits<double>::infinity());
  EXPECT_EQ(after.compile_key, full_record().compile_key);
  EXPECT_EQ(after.verdict.worst->index, (std::vector<std::int64_t>{1, 2}));
}

TEST(Record, CarriesTextThatIsNotUtf8) {
  Record record = full_record();
  record.verdict.detail = "broken \xff text";
  EXPECT_NO_THROW(parse_json(dump(nlohmann::json(record)), "test").get<Record>());
}

TEST(Verdict, NamesAndRanksEveryKind) {
  int last = -1;
  for (int i = 0; i <= static_cast<int>(VerdictKind::harness_error); ++i) {
    const auto kind = static_cast<VerdictKind>(i);
    EXPECT_EQ(parse_verdict_kind(name_of(kind)), kind);
    EXPECT_GT(rank_of(kind), last) << name_of(kind);
    last = rank_of(kind);
  }
  EXPECT_THROW(parse_verdict_kind("passed"), UserError);
}

PlanItem item() {
  PlanItem result;
  result.row = "add";
  result.dtypes = {Dtype::float32, Dtype::int64, Dtype::bfloat16};
  result.selected_dtypes = {Dtype::float32, Dtype::int64};
  result.paths = {Path::eager, Path::eager_backward};
  result.differentiable = true;
  result.first = 2;
  result.count = 8;
  return result;
}

TEST(Plan, CountsWhatIsPlanned) {
  Plan plan;
  plan.items = {item()};
  std::int64_t counted = 0;
  for (std::int64_t n = 0; n < 20; ++n) {
    for (const Path path : {Path::eager, Path::eager_backward, Path::compiled}) counted += is_planned(plan.items[0], n, path) ? 1 : 0;
  }
  EXPECT_EQ(planned_count(plan), counted);
  EXPECT_EQ(counted, 3 + 1 + 2);  // of 2 .. 9, 3, 6 and 9 are float32, 6 alone on a slot with gradients; 4 and 7 are int64, which has none
}

TEST(Plan, SurvivesItsJson) {
  Plan plan;
  plan.items = {item()};
  plan.seed = 0xFFFFFFFFFFFFFFFF;
  plan.build = {{"torch", "2.13.0"}};
  const nlohmann::json json = plan;
  EXPECT_EQ(nlohmann::json(parse_json(dump(json), "test").get<Plan>()), json);
}

}  // namespace
}  // namespace neuroncheck
