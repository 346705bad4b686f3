// Products in groups: composites of the rules of mm and bmm.
#include <ATen/ATen.h>

#include "oracles/norm_rules.h"

namespace neuroncheck::oracles {
namespace {

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

}  // namespace

Rule grouped_product() {
  return [](const Call& call) -> std::vector<PairTensor> { return {of_its_own(grouped(call.tensor(0), call.tensor(1), call.tensor(2)))}; };
}

// Torch multiplies and sums two of them, then the third, and may round to the dtype after each.
Rule trilinear() {
  return [](const Call& call) -> std::vector<PairTensor> {
    const at::Tensor products = at::mul(at::mul(expanded(call, 0), expanded(call, 1)), expanded(call, 2));
    const std::vector<std::int64_t> dims = call.argument(6).toIntVector();
    return {of_its_own(dims.empty() ? products : at::sum(products, dims))};
  };
}

}  // namespace neuroncheck::oracles
