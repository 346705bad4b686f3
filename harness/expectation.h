// Baseline lines: deviations that are known. An expectation never changes a verdict, only its triage (matrix.md section 2).
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record.h"

namespace neuroncheck {

struct Expectation {
  std::string op;                         // exact overload, no wildcard
  std::vector<Dtype> dtypes;              // empty: any ("*")
  std::vector<Path> paths;                // empty: any ("*")
  std::optional<InputClass> input_class;  // none: any
  std::string builds_from, builds_to;     // versions of the target's distribution, inclusive; empty: open
  VerdictKind verdict = VerdictKind::mismatch;
  std::string verdict_reason;          // empty: any
  std::optional<double> ceiling_ulps;  // more than ten times this is a regression
  std::string issue, reason;           // both mandatory
  std::string since, review, until;    // dates YYYY-MM-DD; `until` for flakes and skips

  bool operator==(const Expectation&) const = default;
};

struct Baseline {
  bool exists = false;  // even an empty file is a baseline: wrong and broken results it does not list are unexpected
  std::vector<Expectation> entries;
};

// suites/baselines/<target>.json. Throws UserError naming file, entry and key: missing issue or reason, unknown key, two equally specific matches.
Baseline load_baseline(const std::filesystem::path& file);
// The entries whose range of builds holds this version of the target's distribution; all of them when it is empty: not known.
Baseline for_build(Baseline baseline, std::string_view version);
// Canonical form: sorted, two spaces, one key a line: two people's tools write the same bytes.
std::string canonical_baseline(const Baseline& baseline);

// The entry that matches the record's cell and verdict, most specific first; null: none.
const Expectation* match(const Baseline& baseline, const Record& record);

// expected: nothing wrong or broken, or listed. Coverage verdicts (fallback, refused, ...) always are: the gate judges them by difference.
Triage triage(const Baseline& baseline, const Record& record);
inline bool is_unexpected(Triage triage) { return triage != Triage::expected && triage != Triage::improved; }

}  // namespace neuroncheck
