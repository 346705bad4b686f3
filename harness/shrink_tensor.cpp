#include "harness/shrink_tensor.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace neuroncheck {
namespace {

void cut_literal(TensorSpec& spec, std::size_t dim, const Cut& kept) {
  std::int64_t inner = 1, outer = 1;
  for (std::size_t i = 0; i < spec.sizes.size(); ++i) (i < dim ? outer : inner) *= i == dim ? 1 : spec.sizes[i].size;
  const std::int64_t size = spec.sizes[dim].size;
  std::vector<std::uint64_t> bits;
  for (std::int64_t i = 0; i < outer * size; ++i) {
    const std::int64_t row = i % size;
    const bool keep = kept.dropped >= 0 ? row != kept.dropped : row >= kept.first && row < kept.first + kept.count;
    if (keep) bits.insert(bits.end(), spec.fill.bits.begin() + i * inner, spec.fill.bits.begin() + (i + 1) * inner);
  }
  spec.fill.bits = std::move(bits);
}

void replace_in_lists(ArgumentList& arguments, std::int64_t from, std::int64_t to) {
  for (Argument& argument : arguments) {
    auto* list = std::get_if<ArgumentList>(&argument.value);
    if (list == nullptr) continue;
    for (Argument& element : *list) {
      if (element.value == decltype(element.value)(from)) element.value = to;
    }
    replace_in_lists(*list, from, to);
  }
}

}  // namespace

bool keeps_values(const TensorSpec& spec) {
  return spec.fill.kind == FillKind::literal || (spec.fill.kind == FillKind::every_pattern && spec.sizes.size() == 1);
}

TensorSpec cut(TensorSpec spec, std::size_t dim, const Cut& kept) {
  if (spec.fill.kind == FillKind::literal) {
    cut_literal(spec, dim, kept);
  } else if (keeps_values(spec)) {
    spec.fill.parameter += kept.first;
  }
  spec.sizes[dim].size = kept.count;
  return spec;
}

TensorSpec without_dim(TensorSpec spec, std::size_t dim) {
  if (spec.sizes[dim].symbol < 0) spec = cut(std::move(spec), dim, Cut{.first = 0, .count = 1});
  const auto at = static_cast<std::ptrdiff_t>(dim);
  spec.sizes.erase(spec.sizes.begin() + at);
  if (!spec.strides.empty()) spec.strides.erase(spec.strides.begin() + at);
  return spec;
}

TensorSpec as_literal(TensorSpec spec) {
  const std::vector<std::byte> bytes = make_values(spec.fill, spec.dtype, sizes_of(spec, {}));
  const std::size_t width = bytes_of(spec.dtype);
  Fill fill{.kind = FillKind::literal, .bits = {}};
  for (std::size_t i = 0; i < bytes.size(); i += width) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i, width);
    fill.bits.push_back(bits);
  }
  spec.fill = std::move(fill);
  return spec;
}

Case cut_everywhere(Case test_case, std::int64_t size, const Cut& kept) {
  for (TensorSpec& spec : test_case.program.inputs) {
    for (std::size_t dim = 0; dim < spec.sizes.size(); ++dim) {
      if (spec.sizes[dim] == Dim{.size = size}) spec = cut(std::move(spec), dim, kept);
    }
    if (spec.fill.kind == FillKind::index && spec.fill.parameter == size) spec.fill.parameter = std::max<std::int64_t>(kept.count, 1);
  }
  for (Binding& binding : test_case.bindings) std::replace(binding.symbols.begin(), binding.symbols.end(), size, kept.count);
  for (Node& node : test_case.program.nodes) replace_in_lists(node.arguments, size, kept.count);
  return test_case;
}

}  // namespace neuroncheck
