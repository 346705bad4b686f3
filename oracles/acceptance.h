// Interval, then round (reference.md section 3): an element y is accepted iff round_down(v - d) <= y <= round_up(v + d), where v is the reference's
// value and d its bound, in the number format the device rounds to. d = 0 leaves one correctly rounded value; overflow, subnormals and ties need no
// case of their own.
//
// Special values (oracles.md section 6):
// - NaN: where the reference is NaN the result must be NaN, any payload; NaN anywhere else is a miss, but for formats without infinity, whose
//   overflow is NaN.
// - Infinity: legal iff the rounded interval reaches it.
// - Subnormals: with FlushPolicy::either zero of any sign is also accepted where the interval meets the subnormal range; with `flush` a subnormal
//   result is a miss there. Only for formats with float32's exponents: a flush in float16 or float8 loses values that matter and is a miss.
// - Signs of zeros: +0 and -0 are equal unless `sign_of_zero` is `judged`. The reference carries the sign only where no arithmetic took place, so
//   the judge sets it for programs that purely move data.
// An element proves nothing when its bound exceeds both its magnitude and the smallest subnormal, or is infinite (then anything is accepted, NaN
// included), or when it is a bool that may be either. NaN, infinities and d = 0 must be met: they prove something. A NaN or negative bound is a
// std::logic_error, never an acceptance.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/bounded.h"
#include "harness/host_tensor.h"
#include "harness/verdict.h"
#include "oracles/profile.h"

namespace neuroncheck::oracles {

enum class ZeroSign : std::uint8_t { ignored, judged };

struct AcceptanceOptions {
  OutputRounding rounding = OutputRounding::nearest_even;
  FlushPolicy flush = FlushPolicy::keep;
  ZeroSign sign_of_zero = ZeroSign::ignored;
  // A compiled graph writes a mutated input back as a whole: elements it did not compute go through the format it computes float64 in as well.
  Dtype float64_written_back_in = Dtype::float64;
};

// What a walk over the elements of one tensor found; also the result of the ordering oracle.
struct Acceptance {
  std::int64_t elements = 0;
  std::int64_t outside = 0;
  std::int64_t unproven = 0;  // elements that prove nothing
  bool blind = false;         // some tensor has elements, and none of them proves anything
  bool bounded = false;       // some bound is above zero
  std::string reason;         // of the worst element: value, nan_inf, sign_of_zero, index, order; empty: none outside
  double error_ulps = 0.0;    // largest |y - v| over finite elements, in ulps of the format rounded to
  double bound_share = 0.0;   // largest |y - v| / (d + ulp / 2): the half-width with the final rounding
  std::optional<WorstElement> worst;
};

// The values accepted for one floating element; `nan`: NaN too.
struct Interval {
  double low = 0.0, high = 0.0;
  bool nan = false;
};
Interval allowed(const NumberFormat& format, double value, double bound, OutputRounding rounding);

// `got` must have the dtype and the number of elements of `expected`, which must have values: structure was judged before.
Acceptance accept(const Bounded& expected, const HostTensor& got, const AcceptanceOptions& options);

// Row-major position i as coordinates.
std::vector<std::int64_t> coordinates(std::size_t i, const std::vector<std::int64_t>& sizes);

// Adds what another tensor's walk found; the worse worst element stays (outside beats inside, then the larger error).
void merge(Acceptance& into, Acceptance&& other);

}  // namespace neuroncheck::oracles
