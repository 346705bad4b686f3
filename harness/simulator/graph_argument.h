// One argument of a node of a compiled graph: a constant, or values of the graph.
#pragma once

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace neuroncheck::simulator {

struct GraphArgument {
  enum class Kind { constant, value, tensors, optional_tensors };

  Kind kind = Kind::constant;
  c10::IValue constant = {};
  std::vector<std::int64_t> values = {};  // -1: None

  c10::IValue take(const std::vector<c10::IValue>& all) const;
};

// Decodes what graph.h says, guided by the parameter's type.
GraphArgument decode_argument(const nlohmann::json& json, const c10::TypePtr& type);

}  // namespace neuroncheck::simulator
