#include "oracles/weak_oracles.h"

#include <array>
#include <cmath>

namespace neuroncheck::oracles {
namespace {

struct Tolerance {
  double relative = 0.0, absolute = 0.0;
};

struct Row {
  Dtype dtype;
  Tolerance by_default, by_vendor;
};

// torch/testing/_comparison.py; the vendor's op_db suite (fp32, bf16) and unit tests (fp16). Other dtypes: exact.
constexpr std::array kRows = {
    Row{Dtype::float16, {1e-3, 1e-5}, {1e-3, 1e-3}},
    Row{Dtype::bfloat16, {1.6e-2, 1e-5}, {2e-2, 2e-2}},
    Row{Dtype::float32, {1.3e-6, 1e-5}, {1e-2, 1e-5}},
    Row{Dtype::float64, {1e-7, 1e-7}, {1e-2, 1e-5}},
};

Row row_of(Dtype dtype) {
  for (const Row& row : kRows) {
    if (row.dtype == dtype) return row;
  }
  return Row{dtype, {}, {}};
}

bool is_close(double got, double plain, const Tolerance& tolerance) {
  if (std::isnan(got) || std::isnan(plain)) return std::isnan(got) && std::isnan(plain);
  if (got == plain) return true;
  return std::isfinite(plain) && std::abs(got - plain) <= tolerance.absolute + tolerance.relative * std::abs(plain);
}

void look(const HostTensor& plain, const HostTensor& seen, WeakSight& sight) {
  if (plain.dtype != seen.dtype || plain.sizes != seen.sizes) {
    sight = WeakSight{true, true};
    return;
  }
  if (!is_floating(plain.dtype)) {
    const bool differs = plain.bytes != seen.bytes;
    sight = WeakSight{sight.by_default || differs, sight.by_vendor || differs};
    return;
  }
  const Row row = row_of(plain.dtype);
  for (std::size_t i = 0; i < element_count(plain) && !(sight.by_default && sight.by_vendor); ++i) {
    const double got = number_at(seen, i), expected = number_at(plain, i);
    sight.by_default = sight.by_default || !is_close(got, expected, row.by_default);
    sight.by_vendor = sight.by_vendor || !is_close(got, expected, row.by_vendor);
  }
}

}  // namespace

WeakSight weak_sight(const Returned& plain, const Returned& seen) {
  WeakSight sight;
  if (plain.steps.size() != seen.steps.size()) return WeakSight{true, true};
  for (std::size_t step = 0; step < plain.steps.size(); ++step) {
    const auto& expected = plain.steps[step].outputs;
    const auto& got = seen.steps[step].outputs;
    if (expected.size() != got.size()) return WeakSight{true, true};
    for (std::size_t i = 0; i < expected.size(); ++i) look(expected[i], got[i], sight);
  }
  return sight;
}

}  // namespace neuroncheck::oracles
