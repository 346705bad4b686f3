// Draws every row and runs what it draws on the plain CPU: valid rows never raise, with gradients or without; invalid ones always do.
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "harness/session.h"
#include "oracles/profile.h"
#include "oracles/reference.h"
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

// The weakest that the reference says over some cases of the row.
Strength strength_of(const Row& row, Session& plain, const oracles::Profile& profile) {
  Strength weakest = Strength::rigorous;
  for (std::int64_t n = 0; n < kCases; n += 5) {
    if (has_tag(row, "sweep") && n > 0) break;
    const Case test_case = draw(row, 7, n, kKeys).test_case;
    const Observation observation = plain.run(test_case, Path::eager);
    weakest = std::max(weakest, oracles::evaluate(test_case, std::get<Returned>(observation.outcome), profile).strength);
  }
  return weakest;
}

TEST(CatalogueValidity, RowsSayHowStrongTheirOracleIs) {
  oracles::register_reference_backend();
  const oracles::Profile profile = oracles::load_profile("cpu", NEURONCHECK_PROFILES);
  const std::unique_ptr<Session> plain = open_plain_session();
  for (const Row& row : catalogue()) {
    if (row.invalid) continue;
    try {
      EXPECT_EQ(name_of(strength_of(row, *plain, profile)), name_of(row.strength)) << row.name;
    } catch (const std::exception& error) {
      ADD_FAILURE() << row.name << ": " << error.what();
    }
  }
}

TEST(CatalogueValidity, ValidRowsReturnAndInvalidRowsRaise) {
  const std::unique_ptr<Session> plain = open_plain_session();
  for (const Row& row : catalogue()) {
    for (std::int64_t n = 0; n < (has_tag(row, "sweep") ? 2 : kCases); ++n) {
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
