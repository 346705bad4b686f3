"""The Python side of a worker: compiles generated functions, calls them, and says what went wrong. Embedded in the binary."""

import importlib
import importlib.metadata
import linecache
import sys

import torch

WRAPPERS = ("BackendCompilerFailed", "InductorError", "TorchRuntimeError", "LoweringException", "InternalTorchDynamoError")


def import_target(folder, modules):
    if folder and folder not in sys.path:
        sys.path.insert(0, folder)
    for module in modules:
        importlib.import_module(module)


def decompositions(module, example_inputs):
    """torch's own decompositions to Core ATen, op by op: what a backend is given to compile, without a backend."""
    from functorch.compile import make_boxed_func
    from torch._decomp import core_aten_decompositions
    from torch._dynamo.backends.common import aot_autograd

    return aot_autograd(fw_compiler=lambda graph, _: make_boxed_func(graph.forward), decompositions=core_aten_decompositions(),
                        keep_inference_input_mutations=True)(module, example_inputs)


def require_backend(name):
    from torch._dynamo.backends.registry import list_backends, lookup_backend, register_backend

    if name == "neuroncheck_decompositions" and name not in list_backends(exclude_tags=()):
        register_backend(decompositions, name=name)
    lookup_backend(name)


def distribution_version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def clear_tracking(module):
    synchronize()
    sys.modules[module].clear_op_tracking()


def read_tracking(module):
    synchronize()
    tracker = sys.modules[module]
    return list(tracker.get_executed_ops()), list(tracker.get_fallback_ops())


def synchronize():
    if torch.accelerator.is_available():
        torch.accelerator.synchronize()


def compile_batch(name, source, settings):
    """A fresh code object each time, and no memory of earlier ones: else the ninth graph would hit Dynamo's recompile limit and run eagerly."""
    import torch._dynamo.utils

    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    torch._dynamo.utils.cumulative_time_spent_ns.clear()
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    names = {"torch": torch}
    exec(compile(source, name, "exec"), names)
    return torch.compile(names["batch"], backend=settings["backend"], dynamic=settings["dynamic"], fullgraph=True)


def call_batch(function, arguments):
    return [[as_tensor(value) for value in outputs] for outputs in function(*arguments)]


def as_tensor(value):
    return value if value is None or isinstance(value, torch.Tensor) else torch.tensor(value)


def gradients(roots, leaves, grad_outputs):
    return list(torch.autograd.grad(roots, leaves, grad_outputs, allow_unused=True))


def counters():
    from torch._dynamo import utils

    stats, breaks = utils.counters["stats"], utils.counters["graph_break"]
    seconds = utils.calculate_time_spent().get("total_wall_time", 0.0)
    reason = next(iter(breaks), "")
    return stats["unique_graphs"], sum(breaks.values()), str(reason), seconds * 1e6


def describe(error):
    """(class, text, whether it was raised while compiling), wrappers taken off."""
    compiling = from_compiler(error)
    while type(error).__name__ in WRAPPERS:
        inner = getattr(error, "inner_exception", None) or error.__cause__ or behind_dynamo(error)
        if inner is None:
            break
        error = inner
    return type(error).__name__, str(error), compiling


def behind_dynamo(error):
    """The op's own error, when Dynamo met it with fake tensors and raised its own from None."""
    inner = error.__context__
    while inner is not None and (from_compiler(inner) or str(inner).startswith("Dynamo failed to run FX node")):
        inner = inner.__context__
    return inner


def from_compiler(error):
    module = type(error).__module__
    return module.startswith(("torch._dynamo", "torch._inductor", "torch._functorch"))
