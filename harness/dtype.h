// Element types, by torch's names. The command line also accepts short forms (bf16, f32, i64, ...).
#pragma once

#include <array>
#include <cstddef>
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

struct DtypeFacts {
  Dtype dtype;
  std::string_view name;
  std::string_view short_name;
  DtypeKind kind;
  std::size_t bytes;
};

// The one table of element types, in the order of the enumerators.
inline constexpr std::array kDtypeFacts = {
    DtypeFacts{Dtype::bool_, "bool", "b8", DtypeKind::boolean, 1},
    DtypeFacts{Dtype::uint8, "uint8", "u8", DtypeKind::integer, 1},
    DtypeFacts{Dtype::int8, "int8", "i8", DtypeKind::integer, 1},
    DtypeFacts{Dtype::int16, "int16", "i16", DtypeKind::integer, 2},
    DtypeFacts{Dtype::int32, "int32", "i32", DtypeKind::integer, 4},
    DtypeFacts{Dtype::int64, "int64", "i64", DtypeKind::integer, 8},
    DtypeFacts{Dtype::float16, "float16", "f16", DtypeKind::floating, 2},
    DtypeFacts{Dtype::bfloat16, "bfloat16", "bf16", DtypeKind::floating, 2},
    DtypeFacts{Dtype::float32, "float32", "f32", DtypeKind::floating, 4},
    DtypeFacts{Dtype::float64, "float64", "f64", DtypeKind::floating, 8},
    DtypeFacts{Dtype::float8_e4m3fn, "float8_e4m3fn", "f8e4m3fn", DtypeKind::floating, 1},
    DtypeFacts{Dtype::float8_e5m2, "float8_e5m2", "f8e5m2", DtypeKind::floating, 1},
    DtypeFacts{Dtype::complex64, "complex64", "c64", DtypeKind::complex, 8},
};
static_assert([] {
  for (std::size_t i = 0; i < kDtypeFacts.size(); ++i) {
    if (kDtypeFacts[i].dtype != static_cast<Dtype>(i)) return false;
  }
  return true;
}());

// torch's name: "bool", "bfloat16", ...
constexpr std::string_view name_of(Dtype dtype) { return kDtypeFacts.at(static_cast<std::size_t>(dtype)).name; }
// torch's name or a short form; throws UserError that lists the known names.
Dtype parse_dtype(std::string_view text);
constexpr DtypeKind kind_of(Dtype dtype) { return kDtypeFacts.at(static_cast<std::size_t>(dtype)).kind; }
constexpr std::size_t bytes_of(Dtype dtype) { return kDtypeFacts.at(static_cast<std::size_t>(dtype)).bytes; }

constexpr bool is_floating(Dtype dtype) { return kind_of(dtype) == DtypeKind::floating; }
constexpr bool is_integer(Dtype dtype) { return kind_of(dtype) == DtypeKind::integer; }

}  // namespace neuroncheck
