#include "oracles/aggregate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/number_format.h"

namespace neuroncheck::oracles {
namespace {

constexpr std::size_t kLeastOutputs = 1000;
constexpr double kThreshold = 5.0;
constexpr std::int64_t kLeastTerms = 4;
constexpr int kNone = -1;
// With the input whose last dimension is contracted: products of one or two terms form a grid whose errors are no independent draws.
constexpr std::array<std::pair<std::string_view, int>, 4> kOps = {{{"aten::sum", kNone}, {"aten::mm", 0}, {"aten::bmm", 0}, {"aten::addmm", 1}}};
constexpr std::array kFills = {FillKind::normal, FillKind::uniform, FillKind::log_uniform, FillKind::positive};

bool sums_many_terms(const Case& test_case) {
  const std::string op = base_op(test_case.program.nodes[0].op);
  const auto known = std::find_if(kOps.begin(), kOps.end(), [&](const auto& one) { return one.first == op; });
  if (known == kOps.end() || known->second == kNone) return known != kOps.end();
  const TensorSpec& contracted = test_case.program.inputs.at(static_cast<std::size_t>(known->second));
  const std::vector<std::int64_t> sizes = sizes_of(contracted, test_case.bindings.at(0).symbols);
  return !sizes.empty() && sizes.back() >= kLeastTerms;
}

}  // namespace

bool aggregate_applies(const Case& test_case, const Profile& profile) {
  const Program& program = test_case.program;
  if (profile.rounding != OutputRounding::nearest_even || program.nodes.size() != 1 || !sums_many_terms(test_case)) return false;
  return std::all_of(program.inputs.begin(), program.inputs.end(), [](const TensorSpec& spec) {
    return is_floating(spec.dtype) && bytes_of(spec.dtype) > 1 && std::ranges::find(kFills, spec.fill.kind) != kFills.end() &&
           spec.layout != LayoutKind::expanded && spec.layout != LayoutKind::strided;
  });
}

std::optional<std::string> find_bias(const Bounded& expected, const HostTensor& got) {
  if (!is_floating(expected.dtype)) return std::nullopt;
  const NumberFormat& format = format_of(expected.computed_in);
  double sum = 0.0, sum_along_sign = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double value = expected.values[i], error = number_at(got, i) - value;
    const double bound = expected.bounds.empty() ? 0.0 : expected.bounds[i];
    if (!std::isfinite(error) || !std::isfinite(bound)) continue;
    const double scaled = error / (bound + ulp_at(format, value) / 2);
    sum += scaled;
    sum_along_sign += value < 0 ? -scaled : scaled;
    ++count;
  }
  if (count < kLeastOutputs) return std::nullopt;
  const auto n = static_cast<double>(count);
  const double worse = std::abs(sum) > std::abs(sum_along_sign) ? sum : sum_along_sign;
  if (std::abs(worse) / n <= kThreshold / std::sqrt(n)) return std::nullopt;
  return fmt::format("biased: mean error {:.3g} of the allowed half-width over {} outputs, at most {:.3g} by chance", worse / n, count,
                     kThreshold / std::sqrt(n));
}

}  // namespace neuroncheck::oracles
