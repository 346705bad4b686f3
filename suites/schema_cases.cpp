#include "suites/schema_cases.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <optional>
#include <variant>

#include "generators/schema.h"
#include "harness/hazards.h"
#include "harness/random.h"
#include "suites/rows.h"

namespace neuroncheck {
namespace {

constexpr int kStructures = 4;        // of each dtype; the first two are the edges
constexpr std::uint64_t kDraws = 40;  // of one structure, until one is taken
constexpr std::size_t kMostElements = 65536;

Dtypes tried_dtypes() { return {Dtype::float32, Dtype::bfloat16, Dtype::int64, Dtype::bool_}; }

Observation run_with(bool filled, Session& plain, const Case& test_case) {
  at::globalContext().setDeterministicAlgorithms(filled, true);
  at::globalContext().setDeterministicFillUninitializedMemory(filled);
  Observation seen = plain.run(test_case, Path::eager);
  at::globalContext().setDeterministicAlgorithms(false, false);
  return seen;
}

// Why a draw is no case; empty: it is one.
std::string objection(const Case& test_case, Session& plain) {
  if (!is_harmless(test_case)) return "torch's CPU kernel writes outside of its memory";
  const Observation seen = run_with(false, plain, test_case);
  if (const auto* raised = std::get_if<Raised>(&seen.outcome)) return fmt::format("{}: {}", raised->error_class, raised->text);
  const auto* returned = std::get_if<Returned>(&seen.outcome);
  if (returned == nullptr) return "it ended the process";
  std::size_t elements = 0;
  for (const HostTensor& output : returned->steps.at(0).outputs) elements += element_count(output);
  if (elements > kMostElements) return "its results are large";
  const Observation again = run_with(true, plain, test_case);
  const auto* filled = std::get_if<Returned>(&again.outcome);
  if (filled == nullptr || filled->steps != returned->steps) return "its results are not determined: memory that nothing has written, or random";
  return "";
}

}  // namespace

SchemaCases cases_from_schema(const SchemaOperator& op, Session& plain) {
  generators::SchemaHints hints;
  hints.guess_dtypes = true;
  const RowLine line{op.op, tried_dtypes(), generators::from_schema(generators::parse_schema(op.schema), hints), {}};
  const Row row = rows_of("schema", {line}).front();
  SchemaCases found;
  const auto dtypes = static_cast<std::int64_t>(row.dtypes.size());
  for (std::int64_t n = 0; n < dtypes * kStructures; ++n) {
    for (std::uint64_t number = 0; number < kDraws; ++number) {
      Drawn drawn = draw(row, number, n, kStructures);
      found.refused = objection(drawn.test_case, plain);
      if (!found.refused.empty()) continue;
      found.cases[drawn.dtype].push_back(std::move(drawn.test_case));
      break;
    }
  }
  return found;
}

}  // namespace neuroncheck
