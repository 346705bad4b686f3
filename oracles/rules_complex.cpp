// Complex numbers between real inputs and real outputs: a pair's bound holds for the real and the imaginary part alike.
#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "oracles/rule_kinds.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

PairTensor complex_result(const at::Tensor& value, const at::Tensor& bound, at::ScalarType shown) {
  // Infinity times zero: nothing is known.
  return {value.contiguous(), without_zeros(bound.nan_to_num(kInfinity, kInfinity).contiguous()), shown, false, true, nullptr};
}

// A real operand as it is read; a complex one has no conversion between dtypes and no subnormals of its own.
PairTensor read(const Call& call, std::size_t i) {
  const PairTensor pair = call.pair(i);
  return pair.value.is_complex() ? pair : consumed(pair, pair.shown, call.context());
}

std::vector<PairTensor> run_view_as_real(const Call& call) {
  const PairTensor self = call.pair(0);
  const at::Tensor value = at::view_as_real(self.value.resolve_conj());
  return {complex_result(value, bound_or_zeros(self).unsqueeze(-1).expand(value.sizes()), c10::toRealValueType(self.shown))};
}

std::vector<PairTensor> run_view_as_complex(const Call& call) {
  const PairTensor self = call.pair(0);
  return {complex_result(at::view_as_complex(self.value.contiguous()), bound_or_zeros(self).amax(-1), c10::toComplexType(self.shown))};
}

std::vector<PairTensor> run_complex(const Call& call) {
  const PairTensor real = call.pair(0), imaginary = call.pair(1);
  const at::Tensor value = at::complex(real.value, imaginary.value);
  return {complex_result(value, at::maximum(bound_or_zeros(real), bound_or_zeros(imaginary)).expand(value.sizes()), c10::toComplexType(real.shown))};
}

// polar(abs, angle): a product with a cosine and a sine, each of them off by their error and by the angle's.
std::vector<PairTensor> run_polar(const Call& call) {
  const PairTensor radius = read(call, 0), angle = read(call, 1);
  const Precision& precision = call.context().precision(radius.shown);
  const double error = call.context().function_error("sin", precision) + precision.step.unit;
  const at::Tensor size = radius.value.abs() + bound_or_zeros(radius);
  const at::Tensor bound = size * (bound_or_zeros(angle) + error) + bound_or_zeros(radius) + precision.step.smallest;
  return {complex_result(at::polar(radius.value, angle.value), bound, c10::toComplexType(radius.shown))};
}

std::vector<PairTensor> run_conjugate(const Call& call) {
  const PairTensor self = call.pair(0);
  if (!self.value.is_complex()) return {self};
  return {complex_result(self.value.conj().resolve_conj(), bound_or_zeros(self), self.shown)};
}

// arg(z): the parts' bounds span a circle around z of sqrt(2) d.
std::vector<PairTensor> run_angle(const Call& call) {
  const PairTensor self = call.pair(0);
  if (!self.value.is_complex()) return estimated()(call);
  const at::ScalarType shown = c10::toRealValueType(self.shown);
  const double error = call.context().function_error("atan2", call.context().precision(shown));
  const at::Tensor value = at::angle(self.value);
  const at::Tensor ratio = bound_or_zeros(self) * std::numbers::sqrt2 / self.value.abs();
  const at::Tensor bound = at::where(ratio < 1.0, at::asin(ratio), kInfinity) + value.abs() * error;
  // Next to the negative real axis the angle may as well be the other end of its range.
  const at::Tensor seam = at::real(self.value).lt(0) & at::imag(self.value).abs().le(bound_or_zeros(self)) & bound_or_zeros(self).gt(0);
  const at::Tensor at_zero = self.value.abs().eq(0) & bound_or_zeros(self).eq(0);
  return {complex_result(value, bound.masked_fill(seam, kInfinity).masked_fill(at_zero, 0.0), shown)};
}

bool has_large_prime_factor(std::int64_t n) {
  for (const std::int64_t p : {2, 3, 5, 7, 11, 13}) {
    while (n > 0 && n % p == 0) n /= p;
  }
  return n > 1;
}

// Roundings of one output of a transform of n terms, each of at most one unit of the sum of magnitudes: n + 8 cover the sum as defined, in any order,
// with its factors rounded, as well as the fast algorithms (five a stage, log2 n stages). Lengths with a large prime factor may be computed as a
// convolution of length m >= 2n - 1 (Bluestein 1970): three transforms, whose intermediate values grow with sqrt(m).
double transform_roundings(std::int64_t n) {
  const double direct = static_cast<double>(n) + 8.0;
  if (!has_large_prime_factor(n)) return direct;
  const double stages = std::ceil(std::log2(2.0 * static_cast<double>(n) - 1.0));
  return direct + 15.0 * stages * std::exp2(stages / 2.0);
}

// _fft_r2c(self, dim, normalization, onesided), _fft_c2c(self, dim, normalization, forward), _fft_c2r(self, dim, normalization, last_dim_size).
std::vector<PairTensor> run_transform(const Call& call) {
  const PairTensor self = read(call, 0);
  const std::vector<std::int64_t> dims = call.argument(1).toIntVector();
  const bool to_real = call.argument(3).isInt();  // a half spectrum, whose terms count twice
  const at::Tensor value = call.run([&](const PairTensor&) { return self.value; })[0];
  std::int64_t length = 1;
  for (const std::int64_t dim : dims) length *= (to_real ? value : self.value).size(dim);
  double scale = to_real ? 2.0 : 1.0;
  if (call.argument(2).toInt() == 1) scale /= std::sqrt(static_cast<double>(length));
  if (call.argument(2).toInt() == 2) scale /= static_cast<double>(length);
  const at::ScalarType shown = self.value.is_complex() ? self.shown : c10::toComplexType(self.shown);
  const at::ScalarType real = c10::toRealValueType(shown);
  const Step& step = call.context().precision(real).step;
  const at::Tensor magnitude = self.value.is_complex() ? at::real(self.value).abs() + at::imag(self.value).abs() : self.value.abs();
  const at::Tensor total = magnitude.sum(dims, true), carried = bound_or_zeros(self).sum(dims, true) * std::numbers::sqrt2;
  const at::Tensor bound =
      ((total + carried) * (transform_roundings(length) * step.unit) + carried) * scale + step.tiny * static_cast<double>(length);
  return {complex_result(value, bound.expand(value.sizes()), to_real ? real : shown)};
}

}  // namespace

Rule view_as_real() { return run_view_as_real; }
Rule view_as_complex() { return run_view_as_complex; }
Rule complex_of_parts() { return run_complex; }
Rule polar() { return run_polar; }
Rule conjugate() { return run_conjugate; }
Rule angle() { return run_angle; }
Rule fourier_transform() { return run_transform; }

}  // namespace neuroncheck::oracles
