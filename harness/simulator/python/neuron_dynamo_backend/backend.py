"""torch.compile(backend="neuron"): AOTAutograd, core-ATen decompositions, static shapes, one graph that runs as a whole on the device."""

import functools
import time

import torch
from functorch.compile import make_boxed_func
from torch._decomp import core_aten_decompositions
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.utils import counters
from torch._guards import CompileContext

from torch_neuronx.neuron_dynamo_backend import metrics
from torch_neuronx.neuron_dynamo_backend.lowering import lower

_first_of_function = {}  # (function, kind) -> handle of the graph compiled first for it


def _replaced_graph(kind):
    """The graph that was compiled first from the same function, -1 for that one itself. `remember` takes the new graph's handle."""
    compile_id = CompileContext.current_compile_id()
    if compile_id is None:
        return -1, lambda handle: None
    key = (compile_id.frame_id, kind)
    if compile_id.frame_compile_id == 0:
        _first_of_function.pop(key, None)
    return _first_of_function.get(key, -1), lambda handle: _first_of_function.setdefault(key, handle)


def _compiler(kind):
    def compile_graph(module, example_inputs):
        started = time.perf_counter()
        program, constants, literals = lower(module)
        replaced, remember = _replaced_graph(kind)
        graph = torch.ops.neuron_sim.define_graph(program, replaced)
        remember(graph)
        counters["neuron"]["compiled_graphs"] += 1
        metrics.record(graph, "model", kind, len(module.graph.nodes), int((time.perf_counter() - started) * 1e6))

        def run(*inputs):
            moved = [value if value.device.type == "neuron" or value.dim() == 0 else value.to("neuron") for value in (*inputs, *constants)]
            outputs = torch.ops.neuron_sim.run_graph(graph, moved)
            return [literal if output is None else output for output, literal in zip(outputs, literals)]

        return make_boxed_func(run)

    return compile_graph


# Their decompositions run through trunc, sign and clamp, whose special values on this device are not theirs.
_KEPT_WHOLE = (torch.ops.aten.frac, torch.ops.aten.sgn, torch.ops.aten.hardsigmoid)


@functools.cache
def _decompositions():
    """Made once: the table walks every operator there is when it is filled."""
    return {op: how for op, how in core_aten_decompositions().items() if getattr(op, "overloadpacket", None) not in _KEPT_WHOLE}


def neuron_backend(module, example_inputs, **options):
    compiled = aot_autograd(
        fw_compiler=_compiler("forward"),
        bw_compiler=_compiler("backward"),
        inference_compiler=_compiler("inference"),
        decompositions=_decompositions(),
        keep_inference_input_mutations=True,
    )
    return compiled(module, example_inputs)
