// The recipe of one tensor: never its data, unless the fill is literal.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "harness/dtype.h"
#include "harness/fill.h"

namespace neuroncheck {

// A size that is a number, or a symbol left open in the program (symbol 0 prints as "s0") and bound by a binding.
struct Dim {
  std::int64_t size = 0;  // meaningful when symbol < 0
  int symbol = -1;

  bool operator==(const Dim&) const = default;
};

enum class LayoutKind : std::uint8_t {
  contiguous,
  transposed,     // the last two dimensions are swapped in memory
  sliced,         // every second element of the last dimension of a larger tensor
  expanded,       // dimension 0 has stride 0 (all its rows are one row); only for tensors that nothing writes to
  offset,         // contiguous, starting three elements into its storage
  channels_last,  // 4-d: N, H, W, C in memory
  strided,        // strides and offset given
};

struct TensorSpec {
  Dtype dtype = Dtype::float32;
  std::vector<Dim> sizes;
  LayoutKind layout = LayoutKind::contiguous;
  std::vector<std::int64_t> strides;  // strided only, in elements
  std::int64_t offset = 0;            // strided only, in elements
  Fill fill;
  bool requires_grad = false;

  bool operator==(const TensorSpec&) const = default;
};

// Where the elements of a spec lie, all in elements.
struct Placed {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
  std::int64_t storage = 0;  // elements the storage needs, without guard bands
};

std::string_view name_of(LayoutKind kind);
LayoutKind parse_layout_kind(std::string_view text);

// Values of the symbols, by symbol number.
using SymbolValues = std::vector<std::int64_t>;

std::vector<std::int64_t> sizes_of(const TensorSpec& spec, const SymbolValues& symbols);
Placed place(const TensorSpec& spec, const SymbolValues& symbols);
std::int64_t element_count(std::span<const std::int64_t> sizes);
// Every element lies alone, and there are no holes between them. False for empty tensors.
bool is_dense(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides);

void to_json(nlohmann::json& json, const TensorSpec& spec);
void from_json(const nlohmann::json& json, TensorSpec& spec);

}  // namespace neuroncheck
