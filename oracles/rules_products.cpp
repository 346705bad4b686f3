// Products in groups: composites of the rules of mm and bmm.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/norm_rules.h"

namespace neuroncheck::oracles {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Group {
  std::int64_t number, first, end;
};

std::vector<Group> groups_of(const at::Tensor& ends) {
  const at::Tensor offsets = unwrap(ends).value.to(at::kLong).contiguous();
  std::vector<Group> groups;
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < offsets.numel(); ++i) {
    const std::int64_t end = offsets.const_data_ptr<std::int64_t>()[i];
    groups.push_back({i, first, end});
    first = end;
  }
  return groups;
}

at::Tensor grouped(const at::Tensor& self, const at::Tensor& other, const at::Tensor& ends) {
  if (self.dim() == 3 && other.dim() == 3) return at::bmm(self, other);
  std::vector<at::Tensor> parts;
  for (const Group& group : groups_of(ends)) {
    if (self.dim() == 2 && other.dim() == 3) parts.push_back(at::mm(self.slice(0, group.first, group.end), other.select(0, group.number)));
    if (self.dim() == 3 && other.dim() == 2) parts.push_back(at::mm(self.select(0, group.number), other.slice(1, group.first, group.end)));
    if (self.dim() == 2 && other.dim() == 2) parts.push_back(at::mm(self.slice(1, group.first, group.end), other.slice(0, group.first, group.end)));
  }
  if (self.dim() == other.dim()) return at::stack(parts, 0);
  return at::cat(parts, self.dim() == 2 ? 0 : 1);
}

at::Tensor expanded(const Call& call, std::size_t i) {
  at::Tensor tensor = call.tensor(i);
  for (const std::int64_t dim : call.argument(i + 3).toIntVector()) tensor = tensor.unsqueeze(dim);
  return tensor;
}

PairTensor of_its_own(const at::Tensor& tensor) {
  PairTensor result = unwrap(tensor);
  result.companion = nullptr;
  return result;
}

// All of them are multiples of it; 0: that is not known.
double granule_of(const PairTensor& terms) {
  if (without_zeros(terms.bound).defined()) return 0.0;
  const at::Tensor values = terms.value.contiguous();
  double granule = kInfinity;
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    const double value = values.const_data_ptr<double>()[i];
    if (value != 0.0) granule = std::min(granule, std::isfinite(value) ? lowest_bit(value) : 0.0);
  }
  return granule;
}

}  // namespace

Rule grouped_product() {
  return [](const Call& call) -> std::vector<PairTensor> { return {of_its_own(grouped(call.tensor(0), call.tensor(1), call.tensor(2)))}; };
}

Rule scaled_product() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const auto read = [&](std::size_t i) { return call.tensor(i).to(at::kFloat); };
    at::Tensor result = at::mm(at::mul(read(0), read(2)), at::mul(read(1), read(3)));  // whose bound holds for scaling last, too
    if (!call.argument(4).isNone()) result = at::add(result, read(4));
    if (!call.argument(5).isNone()) result = at::mul(result, read(5));
    const at::ScalarType made = call.argument(6).isNone() ? call.pair(0).shown : call.argument(6).toScalarType();
    return {of_its_own(result.to(made))};
  };
}

// Torch multiplies and sums two of them, then the third: it may round partial sums of the dtype twice, and along unroll_dim it adds one part after
// the other, where that dimension is summed.
Rule trilinear() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const at::Tensor products = at::mul(at::mul(expanded(call, 0), expanded(call, 1)), expanded(call, 2));
    const std::vector<std::int64_t> dims = call.argument(6).toIntVector();
    if (dims.empty()) return {of_its_own(products)};
    PairTensor result = of_its_own(at::sum(products, dims));
    const Step& step = call.context().precision(result.shown).step;
    const std::int64_t unrolled = call.argument(7).toInt();
    const bool adds_parts = std::ranges::find(dims, unrolled) != dims.end();
    const double roundings = 2.0 + (adds_parts ? static_cast<double>(products.size(unrolled)) : 0.0);
    const PairTensor terms = unwrap(products);
    const at::Tensor size = magnitude(terms).sum(dims), own = size * (roundings * step.output_unit) + roundings * step.output_tiny;
    const double exact_up_to = granule_of(terms) / step.output_unit;  // every partial sum is a number of the dtype
    result.bound = without_zeros(bound_or_zeros(result) + own.masked_fill(size.le(exact_up_to), 0.0).nan_to_num(kInfinity, kInfinity));
    return {result};
  };
}

}  // namespace neuroncheck::oracles
