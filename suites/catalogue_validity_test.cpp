// Draws every row and runs what it draws on the plain CPU: valid rows never raise, with gradients or without; invalid ones always do.
#include <gtest/gtest.h>

#include <variant>

#include "harness/session.h"
#include "suites/row.h"

namespace neuroncheck {
namespace {

constexpr int kKeys = 8;
constexpr std::int64_t kCases = 64;

std::string outcome_of(const Observation& observation) {
  if (const auto* raised = std::get_if<Raised>(&observation.outcome)) {
    return raised->error_class + ": " + raised->text;
  }
  return std::holds_alternative<Returned>(observation.outcome) ? "returned" : "died";
}

TEST(CatalogueValidity, ValidRowsReturnAndInvalidRowsRaise) {
  const std::unique_ptr<Session> plain = open_plain_session();
  for (const Row& row : catalogue()) {
    for (std::int64_t n = 0; n < kCases; ++n) {
      const Case test_case = draw(row, 7, n, kKeys).test_case;
      const Observation observation = plain->run(test_case, test_case.backward.empty() ? Path::eager : Path::eager_backward);
      const bool as_promised =
          row.invalid ? std::holds_alternative<Raised>(observation.outcome) : std::holds_alternative<Returned>(observation.outcome);
      EXPECT_TRUE(as_promised) << row.name << " " << n << ": " << outcome_of(observation) << "\n" << canonical_json(test_case);
    }
  }
}

}  // namespace
}  // namespace neuroncheck
