// Systematic errors that no single element proves: a biased rounding, a dropped term (oracles.md section 2.2).
//
// Each error is scaled by what one element may err, c = d + ulp / 2, so that |error / c| <= 1 inside the interval. Errors of a correct device that
// rounds to nearest even are independent of sign and centred, so by Hoeffding's inequality |mean| > 5 / sqrt(T) has a chance below 2 exp(-12.5),
// 8e-6; with the true spread, far below c, it never happens. Tested twice: as it stands, and along the sign of the value (what truncation shifts).
// Threshold and least number of outputs: oracles.md. Its RMS test needs the terms' root sum of squares, which a Bounded does not carry; where the
// bound is far below one ulp, so that d alone would do, the interval already sees each element.
//
// Not for outputs that share an error (softmax and norm rows, cumsum), constant or repeated data (their roundings correlate), functions with a bias
// inside their ulps, or float8 (its few values round alike): `aggregate_applies` keeps to single sums and products of matrices over random fills,
// where simulated summation orders raise no alarm (aggregate_test.cpp).
#pragma once

#include <optional>
#include <string>

#include "harness/bounded.h"
#include "harness/host_tensor.h"
#include "harness/program.h"
#include "oracles/profile.h"

namespace neuroncheck::oracles {

bool aggregate_applies(const Case& test_case, const Profile& profile);

// A sentence when the outputs are biased; needs 1000 finite elements, else nothing is said.
std::optional<std::string> find_bias(const Bounded& expected, const HostTensor& got);

}  // namespace neuroncheck::oracles
