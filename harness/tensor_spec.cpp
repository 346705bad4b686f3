#include "harness/tensor_spec.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/enum_names.h"
#include "harness/json_fields.h"

namespace neuroncheck {
namespace {

constexpr std::int64_t kOffsetElements = 3;

constexpr std::array kLayoutNames = {
    EnumName<LayoutKind>{LayoutKind::contiguous, "contiguous"}, EnumName<LayoutKind>{LayoutKind::transposed, "transposed"},
    EnumName<LayoutKind>{LayoutKind::sliced, "sliced"},         EnumName<LayoutKind>{LayoutKind::expanded, "expanded"},
    EnumName<LayoutKind>{LayoutKind::offset, "offset"},         EnumName<LayoutKind>{LayoutKind::channels_last, "channels_last"},
    EnumName<LayoutKind>{LayoutKind::strided, "strided"},
};

// Strides of a dense tensor whose dimensions lie in memory in this order, outermost first. Like torch, an empty dimension strides like one of size 1.
std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& sizes, const std::vector<std::size_t>& order) {
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t stride = 1;
  for (auto dim = order.rbegin(); dim != order.rend(); ++dim) {
    strides[*dim] = stride;
    stride *= std::max<std::int64_t>(sizes[*dim], 1);
  }
  return strides;
}

std::vector<std::size_t> row_major(std::size_t rank) {
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = i;
  return order;
}

// Elements from the start of the storage to the last one that is used.
std::int64_t reach(const Placed& placed) {
  std::int64_t last = placed.offset;
  for (std::size_t i = 0; i < placed.sizes.size(); ++i) {
    if (placed.sizes[i] == 0) return 0;
    last += (placed.sizes[i] - 1) * placed.strides[i];
  }
  return last + 1;
}

nlohmann::json json_of(const Dim& dim) { return dim.symbol < 0 ? nlohmann::json(dim.size) : nlohmann::json(fmt::format("s{}", dim.symbol)); }

Dim read_dim(const nlohmann::json& json) {
  if (!json.is_string()) {
    const auto size = read_value<std::int64_t>(json, "sizes");
    if (size < 0) throw UserError(fmt::format("key 'sizes': {} is negative", size));
    return Dim{.size = size};
  }
  const auto text = json.get<std::string>();
  const bool digits = text.size() >= 2 && text.size() <= 4 && text[0] == 's' &&
                      std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) throw UserError(fmt::format("key 'sizes': '{}' is neither a number nor a symbol like s0", text));
  return Dim{.symbol = std::stoi(text.substr(1))};
}

}  // namespace

std::string_view name_of(LayoutKind kind) { return find_name(kLayoutNames, kind); }

LayoutKind parse_layout_kind(std::string_view text) { return find_value(kLayoutNames, text, "layout"); }

std::vector<std::int64_t> sizes_of(const TensorSpec& spec, const SymbolValues& symbols) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(spec.sizes.size());
  for (const Dim& dim : spec.sizes) {
    if (dim.symbol >= static_cast<int>(symbols.size())) throw std::logic_error("symbol without a value");
    sizes.push_back(dim.symbol < 0 ? dim.size : symbols[static_cast<std::size_t>(dim.symbol)]);
  }
  return sizes;
}

// A layout that needs more dimensions than there are is contiguous, so that shrinking a shape never breaks a spec.
Placed place(const TensorSpec& spec, const SymbolValues& symbols) {
  Placed placed{.sizes = sizes_of(spec, symbols), .strides = {}, .offset = 0, .storage = 0};
  const std::size_t rank = placed.sizes.size();
  std::vector<std::size_t> order = row_major(rank);
  std::vector<std::int64_t> dense = placed.sizes;
  switch (spec.layout) {
    case LayoutKind::contiguous:
      break;
    case LayoutKind::transposed:
      if (rank >= 2) std::swap(order[rank - 1], order[rank - 2]);
      break;
    case LayoutKind::sliced:
      if (rank >= 1) dense[rank - 1] *= 2;
      break;
    case LayoutKind::expanded:
      break;
    case LayoutKind::offset:
      placed.offset = kOffsetElements;
      break;
    case LayoutKind::channels_last:
      if (rank == 4) order = {0, 2, 3, 1};
      break;
    case LayoutKind::strided:
      placed.offset = spec.offset;
      break;
  }
  placed.strides = dense_strides(dense, order);
  if (spec.layout == LayoutKind::sliced && rank >= 1) placed.strides[rank - 1] = 2;
  if (spec.layout == LayoutKind::expanded && rank >= 1) placed.strides[0] = 0;
  if (spec.layout == LayoutKind::strided) {
    if (spec.strides.size() != rank) throw std::logic_error("as many strides as sizes are needed");
    placed.strides = spec.strides;
  }
  placed.storage = reach(placed);
  return placed;
}

std::int64_t element_count(std::span<const std::int64_t> sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return count;
}

void to_json(nlohmann::json& json, const TensorSpec& spec) {
  json = nlohmann::json::object();
  json["dtype"] = name_of(spec.dtype);
  nlohmann::json& sizes = json["sizes"] = nlohmann::json::array();
  for (const Dim& dim : spec.sizes) sizes.push_back(json_of(dim));
  if (spec.layout != LayoutKind::contiguous) json["layout"] = name_of(spec.layout);
  put_unless(json, "strides", spec.strides, {});
  put_unless(json, "offset", spec.offset, std::int64_t{0});
  put_unless(json, "fill", spec.fill, Fill{});
  put_unless(json, "requires_grad", spec.requires_grad, false);
}

void from_json(const nlohmann::json& json, TensorSpec& spec) {
  spec = {};
  JsonFields fields(json, "tensor");
  std::vector<nlohmann::json> sizes;
  std::string dtype;
  fields.required("dtype", dtype);
  spec.dtype = parse_dtype(dtype);
  fields.required("sizes", sizes);
  for (const nlohmann::json& size : sizes) spec.sizes.push_back(read_dim(size));
  fields.word("layout", parse_layout_kind, spec.layout);
  fields.optional("strides", spec.strides);
  fields.optional("offset", spec.offset);
  fields.optional("fill", spec.fill);
  fields.optional("requires_grad", spec.requires_grad);
  fields.done();
}

bool is_dense(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides) {
  std::vector<std::pair<std::int64_t, std::int64_t>> dims;  // stride, size
  for (std::size_t dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] == 0) return false;
    if (sizes[dim] > 1) dims.emplace_back(strides[dim], sizes[dim]);
  }
  std::sort(dims.begin(), dims.end());
  std::int64_t next = 1;
  for (const auto& [stride, size] : dims) {
    if (stride != next) return false;
    next *= size;
  }
  return true;
}

}  // namespace neuroncheck
