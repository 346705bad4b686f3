#include "harness/bounded.h"

#include "harness/enum_names.h"

namespace neuroncheck {
namespace {

constexpr std::array kStrengthNames = {
    EnumName<Strength>{Strength::rigorous, "rigorous"},
    EnumName<Strength>{Strength::estimated, "estimated"},
    EnumName<Strength>{Strength::structural, "structural"},
};

}  // namespace

std::string_view name_of(Strength strength) { return find_name(kStrengthNames, strength); }

Strength parse_strength(std::string_view text) { return find_value(kStrengthNames, text, "strength"); }

}  // namespace neuroncheck
