// Compiled graphs. The Python package lowers an FX graph to a program in JSON; here it is decoded once and then runs as a whole on a thread of the
// device's own, node by node through the kernels themselves: no op of it is dispatched for the device, and one entry `torch_compile` is tracked.
//
// Program: {"inputs": 2, "nodes": [{"op": "aten::add", "overload": "Tensor", "arguments": [{"value": 0}, {"value": 1}], "named": {"alpha": 1}}],
//           "outputs": [2]}
// Value 0.. are the inputs, then one per node; {"op": "getitem", "arguments": [{"value": 2}, 0]} picks one of several results.
// Arguments: null, true, 3, {"float": "0x1p-1"}, "text", [...], {"value": n}, {"dtype": "bfloat16"}, {"device": "neuron"}, {"format": 0}.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace neuroncheck::simulator {

// Returns the graph's handle. `replaces`: the handle of the graph first compiled from the same function for other shapes, or -1.
std::int64_t define_graph(const std::string& program, std::int64_t replaces);
c10::List<std::optional<at::Tensor>> run_graph(std::int64_t graph, at::TensorList inputs);

}  // namespace neuroncheck::simulator
