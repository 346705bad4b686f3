// The JSON form of programs and cases. Arguments: null, true, 3, {"f64": hex}, {"str": text}, {"dtype": name}, {"input": i},
// {"node": k, "output": j}, {"symbol": s}, [...].
#include <limits>
#include <utility>

#include "harness/json_fields.h"
#include "harness/program.h"
#include "harness/random.h"

namespace neuroncheck {

void to_json(nlohmann::json& json, const ValueRef& ref) {
  json = nlohmann::json::object();
  if (ref.node < 0) {
    json["input"] = ref.index;
  } else {
    json["node"] = ref.node;
    json["output"] = ref.index;
  }
}

void from_json(const nlohmann::json& json, ValueRef& ref) {
  ref = {};
  JsonFields fields(json, "reference");
  if (fields.find("input") != nullptr) {
    fields.required("input", ref.index);
  } else {
    fields.required("node", ref.node);
    fields.required("output", ref.index);
    if (ref.node < 0) throw UserError("reference: key 'node' is negative");
  }
  fields.done();
}

void to_json(nlohmann::json& json, const Argument& argument);
void from_json(const nlohmann::json& json, Argument& argument);

namespace {

struct ArgumentWriter {
  nlohmann::json operator()(None) const { return nullptr; }
  nlohmann::json operator()(bool value) const { return value; }
  nlohmann::json operator()(std::int64_t value) const { return value; }
  nlohmann::json operator()(double value) const { return exact_number(value); }
  nlohmann::json operator()(const std::string& text) const { return {{"str", text}}; }
  nlohmann::json operator()(Dtype dtype) const { return {{"dtype", name_of(dtype)}}; }
  nlohmann::json operator()(const ValueRef& ref) const { return ref; }
  nlohmann::json operator()(SymbolRef ref) const { return {{"symbol", ref.symbol}}; }
  nlohmann::json operator()(const ArgumentList& list) const {
    nlohmann::json json = nlohmann::json::array();
    for (const Argument& argument : list) json.push_back(argument);
    return json;
  }
};

Argument read_object(const nlohmann::json& json) {
  if (json.contains("f64")) return {read_number(json)};
  if (json.contains("input") || json.contains("node")) return {json.get<ValueRef>()};
  JsonFields fields(json, "argument");
  Argument argument;
  if (fields.find("str") != nullptr) {
    fields.required("str", argument.value.emplace<std::string>());
  } else if (fields.find("dtype") != nullptr) {
    fields.word("dtype", parse_dtype, argument.value.emplace<Dtype>());
  } else if (fields.find("symbol") != nullptr) {
    fields.required("symbol", argument.value.emplace<SymbolRef>().symbol);
  }
  fields.done();
  if (std::holds_alternative<None>(argument.value)) throw UserError("argument: an empty object is none: write null");
  return argument;
}

}  // namespace

void to_json(nlohmann::json& json, const Argument& argument) { json = std::visit(ArgumentWriter{}, argument.value); }

void from_json(const nlohmann::json& json, Argument& argument) {
  if (json.is_null()) {
    argument = {None{}};
  } else if (json.is_boolean()) {
    argument = {json.get<bool>()};
  } else if (json.is_number_integer()) {
    argument = {read_value<std::int64_t>(json, "arguments")};
  } else if (json.is_array()) {
    argument = {json.get<ArgumentList>()};
  } else if (json.is_object()) {
    argument = read_object(json);
  } else {
    throw UserError(fmt::format("argument: {} is not one: floating numbers are {{\"f64\": hex bits}}, text is {{\"str\": text}}", dump(json)));
  }
}

void to_json(nlohmann::json& json, const Node& node) {
  json = nlohmann::json::object();
  json["op"] = node.op;
  json["arguments"] = node.arguments;
}

void from_json(const nlohmann::json& json, Node& node) {
  node = {};
  JsonFields fields(json, "node");
  fields.required("op", node.op);
  fields.required("arguments", node.arguments);
  fields.done();
}

void to_json(nlohmann::json& json, const Program& program) {
  json = nlohmann::json::object();
  json["inputs"] = program.inputs;
  json["nodes"] = program.nodes;
  json["outputs"] = program.outputs;
  put_unless(json, "symbols", program.symbols, 0);
}

void from_json(const nlohmann::json& json, Program& program) {
  program = {};
  JsonFields fields(json, "program");
  fields.required("inputs", program.inputs);
  fields.required("nodes", program.nodes);
  fields.required("outputs", program.outputs);
  fields.optional("symbols", program.symbols);
  fields.done();
  require_well_formed(program);
}

void to_json(nlohmann::json& json, const Binding& binding) { json = {{"symbols", binding.symbols}}; }

void from_json(const nlohmann::json& json, Binding& binding) {
  binding = {};
  JsonFields fields(json, "binding");
  fields.required("symbols", binding.symbols);
  fields.done();
}

void to_json(nlohmann::json& json, const Backward& backward) {
  json = nlohmann::json::object();
  put_unless(json, "fill", backward.fill, Fill{});
}

void from_json(const nlohmann::json& json, Backward& backward) {
  backward = {};
  JsonFields fields(json, "backward");
  fields.optional("fill", backward.fill);
  fields.done();
}

void to_json(nlohmann::json& json, const Case& test_case) {
  json = nlohmann::json::object();
  json["program"] = test_case.program;
  put_unless(json, "bindings", test_case.bindings, Case{}.bindings);
  if (!test_case.backward.empty()) json["backward"] = test_case.backward.front();
}

void from_json(const nlohmann::json& json, Case& test_case) {
  test_case = {};
  JsonFields fields(json, "case");
  fields.required("program", test_case.program);
  fields.optional("bindings", test_case.bindings);
  if (fields.find("backward") != nullptr) fields.required("backward", test_case.backward.emplace_back());
  fields.done();
  require_well_formed(test_case);
}

std::string canonical_json(const Case& test_case) { return dump(test_case); }

std::string id_of(const Case& test_case) { return id_of_json(canonical_json(test_case)); }

std::string id_of_json(std::string_view canonical) { return hex_of(hash_of(canonical)); }

}  // namespace neuroncheck
