#include "harness/console.h"

#include <gtest/gtest.h>

namespace neuroncheck {
namespace {

TEST(Console, LineFitsTheTerminal) {
  double now = 0.0;
  Console console(stderr, {.terminal = true, .width = 80}, [&] { return now; });
  Plan plan;
  PlanItem item;
  item.row = "a_row_with_a_very_long_name_that_would_never_fit_into_eighty_columns_of_a_terminal";
  item.dtypes = {Dtype::float32};
  item.selected_dtypes = {Dtype::float32};
  item.paths = {Path::eager};
  item.count = 1000;
  plan.items = {item};
  console.on_plan(plan);
  now = 10.0;
  Record record;
  record.position.row = item.row;
  console.on_record(record, Triage::regressed);
  EXPECT_LT(console.line().size(), 80u);
  EXPECT_NE(console.line().find("1/1000"), std::string::npos);
  EXPECT_NE(console.line().find("1 unexpected"), std::string::npos);
}

}  // namespace
}  // namespace neuroncheck
