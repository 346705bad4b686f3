// Ops on floating numbers that are exact by definition: neighbours, the parts of a number, membership.
#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "oracles/rule_kinds.h"
#include "oracles/rule_parts.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// nextafter in the dtype shown; unknown where an operand is not exact.
std::vector<PairTensor> run_next_after(const Call& call) {
  const at::ScalarType shown = call.promoted({0, 1});
  const PairTensor self = consumed(call.pair(0), shown, call.context()), other = consumed(call.pair(1), shown, call.context());
  const at::Tensor value = at::nextafter(self.value.to(shown), other.value.to(shown)).to(at::kDouble);
  PairTensor result{value, {}, shown, true, true, nullptr};
  at::Tensor unknown = at::zeros(value.sizes(), at::kDouble);
  for (const at::Tensor& bound : {self.bound, other.bound}) {
    if (bound.defined()) unknown = unknown.add(bound);
  }
  result.bound = without_zeros(unknown.gt(0.0).to(at::kDouble).mul(std::numeric_limits<double>::max()).mul(2.0).nan_to_num(0.0, kInfinity));
  return {result};
}

// frexp: the mantissa moves with its number until the exponent may change. The exponents of NaN and of infinities are free.
std::vector<PairTensor> run_frexp(const Call& call) {
  const at::ScalarType shown = call.pair(0).shown;
  const PairTensor self = consumed(call.pair(0), shown, call.context());
  int exponent = 0;
  const PairTensor mantissa = map_pairs(self, shown, [&](Pair a) {
    const double value = std::frexp(a.value, &exponent);
    int low = 0, high = 0;
    std::ignore = std::frexp(a.value - a.bound, &low);
    std::ignore = std::frexp(a.value + a.bound, &high);
    const bool same = low == exponent && high == exponent && std::signbit(a.value - a.bound) == std::signbit(a.value + a.bound);
    return Pair{value, a.bound == 0.0 ? 0.0 : same ? std::ldexp(a.bound, -exponent) : kInfinity};
  });
  const PairTensor power = map_pairs(self, at::kInt, [&](Pair a) {
    std::ignore = std::frexp(a.value, &exponent);
    return std::isfinite(a.value) ? Pair{static_cast<double>(exponent), a.bound == 0.0 ? 0.0 : kInfinity} : Pair{0.0, kInfinity};
  });
  return {mantissa, power};
}

}  // namespace

Rule next_after() { return run_next_after; }
Rule fraction_and_exponent() { return run_frexp; }

}  // namespace neuroncheck::oracles
