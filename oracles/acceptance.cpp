#include "oracles/acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "harness/number_format.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Float32's exponents: the formats in which hardware flushes.
bool may_flush(const NumberFormat& format) { return format.exponent_min == -126; }

std::string with_bits(Dtype dtype, double value) { return fmt::format("{:.9g} [0x{:0{}x}]", value, encode(dtype, value), bytes_of(dtype) * 2); }

// One element's finding; `excess` orders misses: distance outside the interval in ulps, infinite for the wrong class.
struct Miss {
  std::size_t at = 0;
  double excess = -1.0;
  std::string_view reason;
};

void require_bound(double bound, std::size_t i) {
  if (std::isnan(bound) || bound < 0) throw std::logic_error(fmt::format("the reference's bound at element {} is {}", i, bound));
}

class FloatingWalk {
 public:
  FloatingWalk(const Bounded& expected, const HostTensor& got, const AcceptanceOptions& options)
      : expected_(expected), got_(got), numbers_(numbers_of(got)), options_(options), format_(format_of(expected.computed_in)) {
    if (!may_flush(format_)) options_.flush = FlushPolicy::keep;
  }

  Acceptance run() {
    result_.elements = static_cast<std::int64_t>(expected_.values.size());
    for (std::size_t i = 0; i < expected_.values.size(); ++i) element(i);
    if (miss_.excess >= 0) name_worst();
    return std::move(result_);
  }

 private:
  double bound_at(std::size_t i) const { return expected_.bounds.empty() ? 0.0 : expected_.bounds[i]; }

  // A device may keep more of a demoted value than it must: it is compared as the format it may be computed in.
  double seen_at(std::size_t i) const {
    const double got = numbers_[i];
    return expected_.computed_in == expected_.dtype ? got : round_to(format_, got);
  }

  void element(std::size_t i) {
    const double value = expected_.values[i], bound = bound_at(i), got = seen_at(i);
    require_bound(bound, i);
    result_.bounded = result_.bounded || bound > 0;
    if (std::isinf(bound)) {
      ++result_.unproven;
      return;
    }
    if (bound > std::max(std::abs(value), format_.smallest_subnormal())) ++result_.unproven;
    measure(value, bound, got);
    const std::string_view reason = outside(value, bound, got);
    if (!reason.empty()) miss(i, reason, excess(value, bound, got));
  }

  void measure(double value, double bound, double got) {
    if (!std::isfinite(value) || !std::isfinite(got) || value == got) return;
    const double error = std::abs(got - value), ulp = ulp_at(format_, value), half_width = bound + ulp / 2;
    if (error > result_.error_ulps * ulp) result_.error_ulps = error / ulp;  // seldom: a division costs more than all else here
    if (error > result_.bound_share * half_width) result_.bound_share = error / half_width;
  }

  // Why the element is not accepted; empty: it is.
  std::string_view outside(double value, double bound, double got) const {
    if (std::isnan(value)) return std::isnan(got) ? "" : "nan_inf";
    if (options_.sign_of_zero == ZeroSign::judged && value == 0 && bound == 0 && got == 0 && std::signbit(value) != std::signbit(got)) {
      return "sign_of_zero";
    }
    const bool flushed_away = options_.flush == FlushPolicy::flush && got != 0 && std::abs(got) < format_.smallest_normal();
    // Rounding is monotone: what lies inside before the ends are rounded does so afterwards, and the correctly rounded value in every interval.
    if ((std::abs(got - value) <= bound || got == round_to(format_, value)) && !flushed_away) return "";
    const Interval interval = allowed(format_, value, bound, options_.rounding);
    if (std::isnan(got)) return interval.nan ? "" : "nan_inf";
    if (interval.low <= got && got <= interval.high && !flushed_away) return "";
    if (got == 0 && flush_allows_zero(interval)) return "";
    return std::isinf(got) != std::isinf(value) ? "nan_inf" : "value";
  }

  bool flush_allows_zero(const Interval& interval) const {
    const double tiny = format_.smallest_normal();
    return options_.flush != FlushPolicy::keep && interval.low < tiny && interval.high > -tiny;
  }

  double excess(double value, double bound, double got) const {
    const Interval interval = allowed(format_, value, bound, options_.rounding);
    const double distance = std::max(interval.low - got, got - interval.high) / ulp_at(format_, value);
    return std::isnan(distance) ? kInfinity : std::max(distance, 0.0);
  }

  void miss(std::size_t i, std::string_view reason, double excess) {
    ++result_.outside;
    if (excess > miss_.excess) miss_ = Miss{i, excess, reason};
  }

  void name_worst() {
    const double value = expected_.values[miss_.at];
    const Interval interval = allowed(format_, value, bound_at(miss_.at), options_.rounding);
    WorstElement worst;
    worst.index = coordinates(miss_.at, expected_.sizes);
    worst.got = fmt::format("{:.9g} [0x{:0{}x}]", numbers_[miss_.at], bits_at(got_, miss_.at), bytes_of(got_.dtype) * 2);
    worst.expected = fmt::format("{:.17g} [0x{:016x}]", value, std::bit_cast<std::uint64_t>(value));
    worst.low = std::isnan(value) ? "nan" : with_bits(expected_.computed_in, interval.low);
    worst.high = std::isnan(value) ? "nan" : with_bits(expected_.computed_in, interval.high);
    result_.worst = std::move(worst);
    result_.reason = miss_.reason;
  }

  const Bounded& expected_;
  const HostTensor& got_;
  const std::vector<double> numbers_;  // of `got`
  AcceptanceOptions options_;
  const NumberFormat& format_;
  Acceptance result_;
  Miss miss_;
};

std::uint64_t distance(std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  return a >= b ? x - y : y - x;
}

std::string integer_text(std::int64_t value) { return fmt::format("{} [0x{:x}]", value, static_cast<std::uint64_t>(value)); }

WorstElement worst_integer(const Bounded& expected, const HostTensor& got, std::size_t i) {
  const double bound = expected.bounds.empty() ? 0.0 : expected.bounds[i];
  const auto value = static_cast<double>(expected.integers[i]);
  WorstElement worst;
  worst.index = coordinates(i, expected.sizes);
  worst.got = integer_text(integer_at(got, i));
  worst.expected = integer_text(expected.integers[i]);
  worst.low = bound > 0 ? fmt::format("{:.17g}", value - bound) : worst.expected;
  worst.high = bound > 0 ? fmt::format("{:.17g}", value + bound) : worst.expected;
  return worst;
}

// Integer and bool elements: exact, but for ambiguous ones (bound > 0), of which every value within the bound is legal.
Acceptance accept_integers(const Bounded& expected, const HostTensor& got) {
  Acceptance result;
  result.elements = static_cast<std::int64_t>(expected.integers.size());
  std::uint64_t furthest = 0;
  for (std::size_t i = 0; i < expected.integers.size(); ++i) {
    const double bound = expected.bounds.empty() ? 0.0 : expected.bounds[i];
    require_bound(bound, i);
    result.bounded = result.bounded || bound > 0;
    const bool either = expected.dtype == Dtype::bool_ && bound > 0;
    if (either || bound > std::abs(static_cast<double>(expected.integers[i]))) ++result.unproven;
    const std::uint64_t off = distance(integer_at(got, i), expected.integers[i]);
    if (off == 0 || (bound > 0 && static_cast<double>(off) <= bound)) continue;
    ++result.outside;
    if (off <= furthest) continue;
    furthest = off;
    result.worst = worst_integer(expected, got, i);
    result.reason = "value";
    result.error_ulps = static_cast<double>(off);  // integers stand one ulp apart
  }
  return result;
}

}  // namespace

Interval allowed(const NumberFormat& format, double value, double bound, OutputRounding rounding) {
  if (std::isnan(value) || std::isinf(bound)) return Interval{-kInfinity, kInfinity, true};
  const bool nearest = rounding == OutputRounding::nearest_even;
  // toward_zero rounds up for negative and down for positive numbers; faithful and stochastic either way.
  const Rounding down = nearest ? Rounding::nearest_even : rounding == OutputRounding::toward_zero ? Rounding::toward_zero : Rounding::down;
  const Rounding up = nearest ? Rounding::nearest_even : rounding == OutputRounding::toward_zero ? Rounding::toward_zero : Rounding::up;
  // v - d and v + d are rounded in float64 themselves: one step outward keeps the interval whole.
  const double lowest = bound > 0 ? std::nextafter(value - bound, -kInfinity) : value;
  const double highest = bound > 0 ? std::nextafter(value + bound, kInfinity) : value;
  Interval interval{round_to(format, lowest, down), round_to(format, highest, up), false};
  // Formats without infinity overflow to NaN.
  interval.nan = std::isnan(interval.low) || std::isnan(interval.high);
  if (std::isnan(interval.low)) interval.low = lowest > 0 ? kInfinity : -format.largest;
  if (std::isnan(interval.high)) interval.high = highest < 0 ? -kInfinity : format.largest;
  return interval;
}

Acceptance accept(const Bounded& expected, const HostTensor& got, const AcceptanceOptions& options) {
  const std::size_t count = is_floating(expected.dtype) ? expected.values.size() : expected.integers.size();
  if (got.dtype != expected.dtype || element_count(got) != count) throw std::logic_error("accept: structure was not judged before values");
  if (!expected.bounds.empty() && expected.bounds.size() != count) throw std::logic_error("accept: as many bounds as values, or none");
  if (kind_of(expected.dtype) == DtypeKind::complex) throw std::logic_error("accept: complex outputs have no bounds yet");
  return is_floating(expected.dtype) ? FloatingWalk(expected, got, options).run() : accept_integers(expected, got);
}

std::vector<std::int64_t> coordinates(std::size_t i, const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> index(sizes.size());
  auto rest = static_cast<std::int64_t>(i);
  for (std::size_t dim = sizes.size(); dim-- > 0;) {
    index[dim] = rest % sizes[dim];
    rest /= sizes[dim];
  }
  return index;
}

void merge(Acceptance& into, Acceptance&& other) {
  const bool other_is_worse = other.outside > 0 && (into.outside == 0 || other.error_ulps > into.error_ulps);
  into.elements += other.elements;
  into.outside += other.outside;
  into.unproven += other.unproven;
  into.blind = into.blind || other.blind;
  into.bounded = into.bounded || other.bounded;
  into.error_ulps = std::max(into.error_ulps, other.error_ulps);
  into.bound_share = std::max(into.bound_share, other.bound_share);
  if (!other_is_worse) return;
  into.reason = std::move(other.reason);
  into.worst = std::move(other.worst);
}

}  // namespace neuroncheck::oracles
