#include "harness/simulator/graph.h"

#include <ATen/ATen.h>

#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>

#include "harness/simulator/compute_thread.h"
#include "harness/simulator/faults.h"
#include "harness/simulator/graph_argument.h"
#include "harness/simulator/kernel.h"
#include "harness/simulator/memory.h"
#include "harness/simulator/state.h"

namespace neuroncheck::simulator {
namespace {

struct Node {
  std::optional<c10::OperatorHandle> op;  // none: getitem
  std::vector<GraphArgument> arguments;
  bool written_by_user = false;  // not the product of a decomposition
};

struct Graph {
  std::size_t inputs = 0;
  std::vector<Node> nodes;
  std::vector<std::int64_t> outputs;  // -1: None
  std::int64_t replaces = -1;
  std::vector<at::Tensor> first_outputs;  // kept for the fault stale_second_shape only
};

struct Graphs {
  std::mutex mutex;
  std::deque<Graph> all;
};

Graphs& graphs() {
  static auto* const instance = new Graphs;  // outlives torch's own statics
  return *instance;
}

Graph& graph_at(std::int64_t handle) {
  const std::lock_guard lock(graphs().mutex);
  return graphs().all.at(static_cast<std::size_t>(handle));
}

Node decode_node(const nlohmann::json& json) {
  Node node;
  node.written_by_user = json.value("user", false);
  const std::string name = json.at("op");
  const nlohmann::json& given = json.at("arguments");
  if (name == "getitem") {
    for (const auto& one : given)
      node.arguments.push_back(decode_argument(one, one.is_object() ? c10::AnyType::get() : c10::TypePtr(c10::IntType::get())));
    return node;
  }
  node.op = c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), json.value("overload", "").c_str());
  const nlohmann::json named = json.value("named", nlohmann::json::object());
  const auto& parameters = node.op->schema().arguments();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const c10::Argument& parameter = parameters[i];
    if (i < given.size()) {
      node.arguments.push_back(decode_argument(given[i], parameter.type()));
    } else if (named.contains(parameter.name())) {
      node.arguments.push_back(decode_argument(named[parameter.name()], parameter.type()));
    } else {
      TORCH_CHECK(parameter.default_value(), "neuron: ", name, " lacks its argument ", parameter.name());
      node.arguments.push_back({.constant = *parameter.default_value()});
    }
  }
  return node;
}

// The fault cast_elided: a float cast down and up again by the user has the values it began with.
std::optional<at::Tensor> elided_cast(const Graph& graph, const Node& node, const Values& values) {
  const auto is_user_cast = [](const Node& one) { return one.op && one.written_by_user && full_name(*one.op) == "aten::_to_copy"; };
  if (!is_user_cast(node) || !fault_is_on("cast_elided")) return std::nullopt;
  const std::int64_t middle = node.arguments.front().values.front();
  if (middle < static_cast<std::int64_t>(graph.inputs)) return std::nullopt;
  const Node& before = graph.nodes[static_cast<std::size_t>(middle) - graph.inputs];
  const c10::IValue dtype = node.arguments.at(1).constant;
  if (!is_user_cast(before) || !dtype.isInt()) return std::nullopt;
  const at::Tensor first = values.at(static_cast<std::size_t>(before.arguments.front().values.front())).toTensor();
  const bool returns = first.scalar_type() == static_cast<at::ScalarType>(dtype.toInt());
  const at::Tensor between = values.at(static_cast<std::size_t>(middle)).toTensor();
  if (!returns || !between.is_floating_point() || between.element_size() >= first.element_size()) return std::nullopt;
  const at::Tensor copy = host_alias(first).clone();
  return device_tensor(copy, adopt(copy.storage()));
}

c10::IValue picked(const c10::IValue& results, std::int64_t index) {
  const auto position = static_cast<std::size_t>(index);
  return results.isTuple() ? results.toTupleRef().elements().at(position) : c10::IValue(results.toTensorVector().at(position));
}

c10::IValue run_node(const Graph& graph, const Node& node, const Values& values) {
  if (const auto kept = elided_cast(graph, node, values)) return *kept;
  Values arguments;
  for (const GraphArgument& argument : node.arguments) arguments.push_back(argument.take(values));
  if (!node.op) return picked(arguments.at(0), arguments.at(1).toInt());
  const std::string refusal = settings().all_native ? "" : compiler_refusal(*node.op, arguments);
  TORCH_CHECK(refusal.empty(),
              "Compilation error occurred on Neuron for operation=torch_compile; error message=\"COMPILATION FAILED: StableHLO to NEFF ",
              "compilation failed for torch.compile: Command failed (neuronx-cc compilation) with exit code 70: ", refusal, "\"");
  Values results = run_on_device(*node.op, std::move(arguments), Path::compiled);
  if (results.empty()) return {};
  return results.size() == 1 ? results.front() : c10::IValue(c10::ivalue::Tuple::create(std::move(results)));
}

std::vector<at::Tensor> run_nodes(const Graph& graph, at::TensorList inputs) {
  TORCH_CHECK(inputs.size() == graph.inputs, "neuron: the graph has ", graph.inputs, " inputs, given ", inputs.size());
  Values values(inputs.begin(), inputs.end());
  for (const Node& node : graph.nodes) values.push_back(run_node(graph, node, values));
  std::vector<at::Tensor> outputs;
  for (const std::int64_t output : graph.outputs) {
    outputs.push_back(output < 0 ? at::Tensor() : values.at(static_cast<std::size_t>(output)).toTensor());
  }
  return outputs;
}

// The fault stale_second_shape: a graph answers with the values of the one that it replaces.
void make_stale(Graph& graph, const std::vector<at::Tensor>& outputs) {
  if (graph.replaces < 0) {
    graph.first_outputs.clear();
    for (const at::Tensor& output : outputs) graph.first_outputs.push_back(output.defined() ? host_alias(output).clone() : at::Tensor());
    return;
  }
  const std::vector<at::Tensor>& first = graph_at(graph.replaces).first_outputs;
  for (std::size_t i = 0; i < std::min(first.size(), outputs.size()); ++i) {
    if (!first[i].defined() || !outputs[i].defined() || first[i].numel() == 0 || first[i].sizes() == outputs[i].sizes()) continue;
    const at::Tensor index = at::arange(outputs[i].numel(), at::kLong).remainder(first[i].numel());
    host_alias(outputs[i]).copy_(first[i].flatten().index_select(0, index).view(outputs[i].sizes()));
  }
}

}  // namespace

std::int64_t define_graph(const std::string& program, std::int64_t replaces) {
  const nlohmann::json json = nlohmann::json::parse(program);
  Graph graph;
  graph.inputs = json.at("inputs");
  graph.replaces = replaces;
  // There too: on the caller's thread a tracing mode may be active, under which constants would be fake tensors.
  run_on_compute_thread([&] {
    for (const auto& node : json.at("nodes")) graph.nodes.push_back(decode_node(node));
  });
  graph.outputs = json.at("outputs").get<std::vector<std::int64_t>>();
  const std::lock_guard lock(graphs().mutex);
  graphs().all.push_back(std::move(graph));
  return static_cast<std::int64_t>(graphs().all.size()) - 1;
}

c10::List<std::optional<at::Tensor>> run_graph(std::int64_t handle, at::TensorList inputs) {
  tracker().executed("torch_compile");
  Graph& graph = graph_at(handle);
  std::vector<at::Tensor> outputs;
  run_on_compute_thread([&] {
    outputs = run_nodes(graph, inputs);
    if (fault_is_on("stale_second_shape")) make_stale(graph, outputs);
  });
  c10::List<std::optional<at::Tensor>> list;
  for (const at::Tensor& output : outputs) list.push_back(output.defined() ? std::optional(output) : std::nullopt);
  return list;
}

}  // namespace neuroncheck::simulator
