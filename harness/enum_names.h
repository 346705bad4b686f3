// The words of an enumeration, from one table of (enumerator, word).
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/user_error.h"

namespace neuroncheck {

template <class Enum>
struct EnumName {
  Enum value;
  std::string_view name;
};

template <class Enum, std::size_t kCount>
std::string_view find_name(const std::array<EnumName<Enum>, kCount>& names, Enum value) {
  for (const EnumName<Enum>& entry : names) {
    if (entry.value == value) return entry.name;
  }
  throw std::logic_error("enumerator without a name");
}

// `what` is the noun of the message: "path", "fill".
template <class Enum, std::size_t kCount>
Enum find_value(const std::array<EnumName<Enum>, kCount>& names, std::string_view text, std::string_view what) {
  std::string known;
  for (const EnumName<Enum>& entry : names) {
    if (entry.name == text) return entry.value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.name);
  }
  throw UserError(fmt::format("unknown {} '{}': one of {}", what, text, known));
}

}  // namespace neuroncheck
