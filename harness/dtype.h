// Element types, by torch's names. The command line also accepts short forms (bf16, f32, i64, ...).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace neuroncheck {

enum class Dtype : std::uint8_t {
  bool_,
  uint8,
  int8,
  int16,
  int32,
  int64,
  float16,
  bfloat16,
  float32,
  float64,
  float8_e4m3fn,
  float8_e5m2,
  complex64,
};

inline constexpr std::array kAllDtypes = {Dtype::bool_,         Dtype::uint8,       Dtype::int8,     Dtype::int16,   Dtype::int32,
                                          Dtype::int64,         Dtype::float16,     Dtype::bfloat16, Dtype::float32, Dtype::float64,
                                          Dtype::float8_e4m3fn, Dtype::float8_e5m2, Dtype::complex64};

enum class DtypeKind : std::uint8_t { boolean, integer, floating, complex };

// torch's name: "bool", "bfloat16", ...
std::string_view name_of(Dtype dtype);
// torch's name or a short form; throws UserError that lists the known names.
Dtype parse_dtype(std::string_view text);
DtypeKind kind_of(Dtype dtype);
std::size_t bytes_of(Dtype dtype);

inline bool is_floating(Dtype dtype) { return kind_of(dtype) == DtypeKind::floating; }
inline bool is_integer(Dtype dtype) { return kind_of(dtype) == DtypeKind::integer; }

}  // namespace neuroncheck
