// The judgement of one observation (matrix.md section 1). Enumerators are the words stored in the database.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/bounded.h"

namespace neuroncheck {

enum class VerdictKind : std::uint8_t {
  pass,
  weak_case,
  imprecise,
  recompiles,
  graph_break,
  fallback,
  refused,
  mismatch,
  nondeterministic,
  missing_error,
  wrong_error,
  unexpected_error,
  compile_error,
  oom,
  timeout,
  crash,
  device_lost,
  skipped,
  not_run,
  harness_error
};

enum class Bucket : std::uint8_t { native, weak, degraded, refused, wrong, broken, none };

std::string_view name_of(VerdictKind kind);
VerdictKind parse_verdict_kind(std::string_view text);  // throws UserError
int rank_of(VerdictKind kind);                          // matrix.md section 1
Bucket bucket_of(VerdictKind kind);
std::string_view name_of(Bucket bucket);

// The element that is furthest outside its interval, as printed: decimal, and hex bits in brackets.
struct WorstElement {
  int step = 0;
  int output = 0;
  std::string what = "output";  // output, gradient, input_after
  std::vector<std::int64_t> index;
  std::string got, expected, low, high;
};

struct Verdict {
  VerdictKind kind = VerdictKind::not_run;
  std::string reason;              // value, nan_inf, sign_of_zero, shape, dtype, stride, alias, mutation, device, index, order, or a code
  std::vector<std::string> flags;  // unproven, extern_kernels, ...
  std::string cause;               // normalised text or vendor code: what groups findings
  std::string detail;              // error text or a sentence; at most 4 KiB
  std::string oracle;              // interval, exact, ordering, structural, error, placement, determinism
  Strength strength = Strength::rigorous;
  double error_ulps = 0.0;   // largest |got - value| in ulps of the output dtype
  double bound_share = 0.0;  // largest |got - value| as a share of the allowed half-width
  std::optional<WorstElement> worst;
  std::optional<bool> weak_default_sees, weak_vendor_sees;  // would assert_close defaults / vendor 1e-2 have failed too
};

void to_json(nlohmann::json& json, const Verdict& verdict);
void from_json(const nlohmann::json& json, Verdict& verdict);

}  // namespace neuroncheck
