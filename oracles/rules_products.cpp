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

}  // namespace

Rule grouped_product() {
  return [](const Call& call) -> std::vector<PairTensor> {
    PairTensor result = unwrap(grouped(call.tensor(0), call.tensor(1), call.tensor(2)));
    result.companion = nullptr;
    return {result};
  };
}

}  // namespace neuroncheck::oracles
