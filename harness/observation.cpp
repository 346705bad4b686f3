#include "harness/observation.h"

#include "harness/enum_names.h"

namespace neuroncheck {
namespace {

constexpr std::array kPathNames = {
    EnumName<Path>{Path::eager, "eager"},       EnumName<Path>{Path::eager_backward, "eager_backward"},
    EnumName<Path>{Path::compiled, "compiled"}, EnumName<Path>{Path::compiled_backward, "compiled_backward"},
    EnumName<Path>{Path::dynamic, "dynamic"},
};

constexpr std::array kPlacementNames = {
    EnumName<Placement>{Placement::native, "native"},
    EnumName<Placement>{Placement::fallback, "fallback"},
    EnumName<Placement>{Placement::unproven, "unproven"},
};

}  // namespace

std::string_view name_of(Path path) { return find_name(kPathNames, path); }

Path parse_path(std::string_view text) { return find_value(kPathNames, text, "path"); }

std::string_view name_of(Placement placement) { return find_name(kPlacementNames, placement); }

Placement parse_placement(std::string_view text) { return find_value(kPlacementNames, text, "placement"); }

}  // namespace neuroncheck
