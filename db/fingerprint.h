// 16 hex digits that stand for a JSON value.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace neuroncheck {

std::string fingerprint(const nlohmann::json& json);

}  // namespace neuroncheck
