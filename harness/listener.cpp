#include "harness/listener.h"

#include "harness/enum_names.h"

namespace neuroncheck {
namespace {

constexpr std::array kRunStateNames = {
    EnumName<RunState>{RunState::complete, "complete"},
    EnumName<RunState>{RunState::partial, "partial"},
    EnumName<RunState>{RunState::void_, "void"},
};

}  // namespace

std::string_view name_of(RunState state) { return find_name(kRunStateNames, state); }

}  // namespace neuroncheck
