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
constexpr std::array<std::string_view, 4> kOps = {"aten::sum", "aten::mm", "aten::bmm", "aten::addmm"};
constexpr std::array kFills = {FillKind::normal, FillKind::uniform, FillKind::log_uniform, FillKind::positive};

template <class Words, class Word>
bool is_one_of(const Words& words, const Word& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool aggregate_applies(const Case& test_case, const Profile& profile) {
  const Program& program = test_case.program;
  if (profile.rounding != OutputRounding::nearest_even || program.nodes.size() != 1 || !is_one_of(kOps, base_op(program.nodes[0].op))) return false;
  return std::all_of(program.inputs.begin(), program.inputs.end(), [](const TensorSpec& spec) {
    return is_floating(spec.dtype) && bytes_of(spec.dtype) > 1 && is_one_of(kFills, spec.fill.kind) && spec.layout != LayoutKind::expanded &&
           spec.layout != LayoutKind::strided;
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
