"""An FX graph of aten ops as the JSON program that the device's library runs (graph.h says what is in it)."""

import functools
import json
import operator

import torch

from torch_neuronx.neuron_dynamo_backend import NEFFCompilationError

_FORMATS = {torch.contiguous_format: 0, torch.preserve_format: 1, torch.channels_last: 2, torch.channels_last_3d: 3}


def _base(name):
    return name.split("::")[1].split(".")[0]


@functools.cache
def _compiled_bases():
    """Base names that the compiler has a lowering for: what the eager list names, and data/compiled_ops.txt."""
    eager = {_base(name) for name in torch.ops.neuron_sim.names("supported_2026_04")}
    return eager | set(torch.ops.neuron_sim.names("compiled_ops"))


def _is_view(op):
    return any(result.alias_info is not None and not result.alias_info.is_write for result in op._schema.returns)


def _is_compiled(op):
    base = _base(op._schema.name)
    return torch.ops.neuron_sim.supports_all() or base in _compiled_bases() or _is_view(op) or base.removesuffix("_copy") in _compiled_bases()


def _check_static(module):
    dynamic = []
    for node in module.graph.find_nodes(op="placeholder"):
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor):
            dynamic += [f"{node.name}[{i}]" for i, size in enumerate(value.shape) if isinstance(size, torch.SymInt)]
    if dynamic:
        raise RuntimeError("Dynamic shapes detected in the model, but torch-neuronx requires static shapes. "
                           f"Found {len(dynamic)} dynamic dimension(s): [{', '.join(dynamic)}]")


def _check_supported(module):
    unsupported = set()
    for node in module.graph.nodes:
        is_op = node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload)
        is_higher_order = node.op == "call_function" and isinstance(node.target, torch._ops.HigherOrderOperator)
        if is_higher_order or (is_op and not _is_compiled(node.target)):
            unsupported.add(str(node.target))
    if unsupported:
        raise NEFFCompilationError("COMPILATION FAILED: StableHLO to NEFF compilation failed for torch.compile: Command failed (neuronx-cc compilation) "
                                   f"with exit code 70: [NCC_EVRF001] unsupported operator: {', '.join(sorted(unsupported))}")


def _encode(value, numbers):
    if isinstance(value, torch.fx.Node):
        return {"value": numbers[value]}
    if isinstance(value, (list, tuple)):
        return [_encode(one, numbers) for one in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if isinstance(value, torch.device):
        return {"device": str(value)}
    if isinstance(value, torch.memory_format):
        return {"format": _FORMATS[value]}
    if value is torch.strided:
        return 0
    raise NEFFCompilationError(f"[NCC_EVRF001] unsupported argument of a graph node: {value!r}")


def _encode_call(node, numbers):
    if node.target is operator.getitem:
        return {"op": "getitem", "arguments": _encode(node.args, numbers)}
    if not isinstance(node.target, torch._ops.OpOverload):
        raise NEFFCompilationError(f"[NCC_EVRF001] unsupported operator: {node.target}")
    overload = node.target._overloadname
    return {
        "op": node.target._schema.name,
        "overload": "" if overload == "default" else overload,
        "arguments": _encode(node.args, numbers),
        "named": {name: _encode(value, numbers) for name, value in node.kwargs.items()},
        "user": str(node.meta.get("original_aten")) == str(node.target),  # by name: tracing makes objects of its own
    }


def lower(module):
    """Returns (program, constants, literals): constants are to be passed after the inputs; literals are outputs that are no tensors of the graph."""
    _check_static(module)
    _check_supported(module)
    nodes = list(module.graph.nodes)
    placeholders = [node for node in nodes if node.op == "placeholder"]
    attributes = [node for node in nodes if node.op == "get_attr"]
    calls = [node for node in nodes if node.op == "call_function"]
    numbers = {node: number for number, node in enumerate(placeholders + attributes + calls)}
    outputs = next(node for node in nodes if node.op == "output").args[0]
    is_value = [isinstance(output, torch.fx.Node) for output in outputs]
    program = {
        "inputs": len(placeholders) + len(attributes),
        "nodes": [_encode_call(node, numbers) for node in calls],
        "outputs": [numbers[output] if known else -1 for output, known in zip(outputs, is_value)],
    }
    constants = [getattr(module, node.target) for node in attributes]
    literals = [None if known else output for output, known in zip(outputs, is_value)]
    return json.dumps(program), constants, literals
