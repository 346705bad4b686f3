#include "harness/dtype.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "harness/user_error.h"

namespace neuroncheck {

Dtype parse_dtype(std::string_view text) {
  std::string known;
  for (const DtypeFacts& facts : kDtypeFacts) {
    if (text == facts.name || text == facts.short_name || (text == "fp16" && facts.dtype == Dtype::float16) ||
        (text == "fp32" && facts.dtype == Dtype::float32)) {
      return facts.dtype;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", facts.name);
  }
  throw UserError(fmt::format("unknown dtype '{}': one of {} (or short: bf16, f32, i64, ...)", text, known));
}

}  // namespace neuroncheck
