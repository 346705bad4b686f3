#include "harness/dtype.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "harness/user_error.h"

namespace neuroncheck {
namespace {

struct Facts {
  Dtype dtype;
  std::string_view name;
  std::string_view short_name;
  DtypeKind kind;
  std::size_t bytes;
};

// The one table of element types, in the order of the enumerators.
constexpr std::array kFacts = {
    Facts{Dtype::bool_, "bool", "b8", DtypeKind::boolean, 1},
    Facts{Dtype::uint8, "uint8", "u8", DtypeKind::integer, 1},
    Facts{Dtype::int8, "int8", "i8", DtypeKind::integer, 1},
    Facts{Dtype::int16, "int16", "i16", DtypeKind::integer, 2},
    Facts{Dtype::int32, "int32", "i32", DtypeKind::integer, 4},
    Facts{Dtype::int64, "int64", "i64", DtypeKind::integer, 8},
    Facts{Dtype::float16, "float16", "f16", DtypeKind::floating, 2},
    Facts{Dtype::bfloat16, "bfloat16", "bf16", DtypeKind::floating, 2},
    Facts{Dtype::float32, "float32", "f32", DtypeKind::floating, 4},
    Facts{Dtype::float64, "float64", "f64", DtypeKind::floating, 8},
    Facts{Dtype::float8_e4m3fn, "float8_e4m3fn", "f8e4m3fn", DtypeKind::floating, 1},
    Facts{Dtype::float8_e5m2, "float8_e5m2", "f8e5m2", DtypeKind::floating, 1},
    Facts{Dtype::complex64, "complex64", "c64", DtypeKind::complex, 8},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kFacts.size(); ++i) {
    if (kFacts[i].dtype != static_cast<Dtype>(i)) return false;
  }
  return true;
}
static_assert(in_order());

const Facts& facts_of(Dtype dtype) { return kFacts.at(static_cast<std::size_t>(dtype)); }

}  // namespace

std::string_view name_of(Dtype dtype) { return facts_of(dtype).name; }

Dtype parse_dtype(std::string_view text) {
  std::string known;
  for (const Facts& facts : kFacts) {
    if (text == facts.name || text == facts.short_name || (text == "fp16" && facts.dtype == Dtype::float16) ||
        (text == "fp32" && facts.dtype == Dtype::float32)) {
      return facts.dtype;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", facts.name);
  }
  throw UserError(fmt::format("unknown dtype '{}': one of {} (or short: bf16, f32, i64, ...)", text, known));
}

DtypeKind kind_of(Dtype dtype) { return facts_of(dtype).kind; }

std::size_t bytes_of(Dtype dtype) { return facts_of(dtype).bytes; }

}  // namespace neuroncheck
