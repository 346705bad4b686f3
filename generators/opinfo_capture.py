"""Captures one call as a program of ATen calls below autograd, on tensors that say they live on the device.

What opinfo.py is made of; the form of programs is that of harness/program_json.cpp.
"""

import re
import struct

import torch
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten
from torch.utils.backend_registration import _DummyBackendModule, _setup_privateuseone_for_python_backend

# The dtypes of harness/dtype.h that OpInfos use.
DTYPES = [torch.float32, torch.bfloat16, torch.float16, torch.float64, torch.complex64, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8,
          torch.bool]
BITS = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32, 8: torch.uint64}
MOST_NODES = 400
COPIES = (torch.ops.aten._to_copy.default, torch.ops.aten.copy_.default)  # from the host; in a program all inputs lie on the device
FACTORY = re.compile(r"aten::(new_)?(empty|zeros|ones|full|rand|randn|randint|randperm|arange|linspace|logspace|eye|scalar_tensor)"
                     r"(_like|_strided|_permuted)?(\.|$)")
CPU_ONLY = ("_for_cpu", "mkldnn", "onednn")


class DeviceModule(_DummyBackendModule):
    """What torch asks of a device's Python module: here the CPU's."""

    def get_rng_state(self, device=None):
        return torch.get_rng_state()

    def set_rng_state(self, state, device=None):
        torch.set_rng_state(state)


class NotCaptured(Exception):
    """Why a sample is no program: what a person reads."""


def name_of(dtype):
    return str(dtype).removeprefix("torch.")


def number(value):
    return {"f64": struct.pack(">d", value).hex()}


class DeviceTensor(torch.Tensor):
    """A CPU tensor that says it lives on the device."""

    @staticmethod
    def __new__(cls, inner, device):
        return torch.Tensor._make_wrapper_subclass(
            cls, inner.shape, strides=inner.stride(), storage_offset=inner.storage_offset(), dtype=inner.dtype, device=device)

    def __init__(self, inner, device):
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise NotCaptured("torch called an operator outside the capture")


class Capture(TorchDispatchMode):
    """Writes down what is called, and does it on the CPU."""

    def __init__(self, device):
        super().__init__()
        self.device = torch.device(device)
        self.inputs, self.nodes, self.take_gradients = [], [], []
        self.refs = {}  # id of a DeviceTensor -> reference
        self.kept = []  # so that no id is used twice
        self.written = set()
        self.question = None  # the last call that answered with a number

    def input(self, tensor):
        """A new input of the program. Programs begin and end with real tensors: a complex one is made of its parts."""
        if tensor.is_complex():
            return self.call(torch.ops.aten.view_as_complex.default, self.input(torch.view_as_real(held(tensor).contiguous())))
        self.take_gradients.append(tensor.requires_grad and tensor.is_floating_point())
        tensor = held(tensor)
        wrapper = self.wrap(tensor)
        self.refs[id(wrapper)] = {"input": len(self.inputs)}
        self.inputs.append(spec_of(tensor))
        return wrapper

    def output(self, tensor):
        """The reference to a result, as a real tensor."""
        if tensor.inner.is_conj():
            tensor = self.call(torch.ops.aten.clone.default, tensor, memory_format=torch.contiguous_format)
        return self.refs[id(self.call(torch.ops.aten.view_as_real.default, tensor) if tensor.is_complex() else tensor)]

    def call(self, func, *args, **kwargs):
        return self.__torch_dispatch__(func, (), args, kwargs)

    def is_fresh(self, tensor):
        """Whether a factory has just made it."""
        ref = self.refs[id(tensor)]
        return "node" in ref and FACTORY.match(self.nodes[ref["node"]]["op"]) is not None

    def wrap(self, tensor):
        wrapper = DeviceTensor(tensor, self.device)
        self.kept.append(wrapper)
        return wrapper

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func.namespace == "prim":
            return func(*tree_map(self.unwrapped, args), **kwargs)
        if len(self.nodes) >= MOST_NODES:
            raise NotCaptured(f"more than {MOST_NODES} calls")
        if func is torch.ops.aten.lift_fresh.default and not isinstance(args[0], DeviceTensor):
            return args[0]  # torch.tensor(): it goes to the device next
        if func is torch.ops.aten.detach.default and self.is_fresh(args[0]):
            return args[0]  # the Python binding of factories does that
        if func.namespace != "aten":
            raise NotCaptured(f"{func.name()} exists in Python only")
        if self.device.type != "cpu" and any(part in func.name() for part in CPU_ONLY):
            raise NotCaptured(f"{func.name()} exists for the CPU only")
        if func in COPIES:
            args = tuple(self.input(value) if isinstance(value, torch.Tensor) and not isinstance(value, DeviceTensor) else value for value in args)
        arguments = self.arguments(func, args, kwargs)
        given_args, given_kwargs = tree_map(self.unwrapped, (args, kwargs))
        wrappers = [value for value in tree_flatten((args, kwargs))[0] if isinstance(value, DeviceTensor)]
        self.nodes.append({"op": func.name().removesuffix(".default"), "arguments": arguments})
        results = func(*given_args, **given_kwargs)
        if torch.Tag.inplace_view in func.tags:
            with no_dispatch():
                func(*args, **kwargs)  # sizes and strides that the wrapper shows
        if any(wrapper.inner.shape != wrapper.shape for wrapper in wrappers):
            raise NotCaptured(f"{func.name()} changes the sizes of its argument")
        flat, structure = tree_flatten(results)
        tensors = [value for value in (*flat, *given_args) if isinstance(value, torch.Tensor)]
        if torch.Tag.nondeterministic_seeded in func.tags and any(tensor.is_complex() for tensor in tensors):
            raise NotCaptured("random complex numbers")
        if any(tensor.layout != torch.strided for tensor in tensors):
            raise NotCaptured(f"{func.name()} makes a tensor that is not strided")
        if not any(isinstance(value, torch.Tensor) for value in flat):
            if not func._schema.is_mutable:
                self.question = (self.nodes.pop(), results)  # its answer is in the arguments of what follows
            return results
        known = {id(wrapper.inner): wrapper for wrapper in wrappers}
        return tree_unflatten([self.result(value, known, index) for index, value in enumerate(flat)], structure)

    def result(self, value, known, index):
        if not isinstance(value, torch.Tensor):
            return value
        if id(value) in known:
            return known[id(value)]
        wrapper = self.wrap(value)
        self.refs[id(wrapper)] = {"node": len(self.nodes) - 1, "output": index}
        return wrapper

    def unwrapped(self, value):
        if isinstance(value, DeviceTensor):
            return value.inner
        return torch.device("cpu") if isinstance(value, torch.device) else value

    def arguments(self, func, args, kwargs):
        """In schema order; what is left off at the end is the default."""
        parameters = func._schema.arguments
        positional = [parameter for parameter in parameters if not parameter.kwarg_only]
        given = {parameter.name: value for parameter, value in zip(positional, args)} | kwargs
        last = max((i for i, parameter in enumerate(parameters) if parameter.name in given), default=-1)
        written = []
        for parameter in parameters[: last + 1]:
            value = given[parameter.name] if parameter.name in given else parameter.default_value
            written.append(self.argument(value))
            if parameter.alias_info is not None and parameter.alias_info.is_write:
                self.written.update(id(tensor) for tensor in tree_flatten(value)[0] if isinstance(tensor, torch.Tensor))
        return written

    def argument(self, value):
        if isinstance(value, DeviceTensor):
            return self.refs[id(value)]
        if value is None or isinstance(value, (bool, int)):
            if isinstance(value, int) and not -(2**63) <= value < 2**63:
                raise NotCaptured("an integer beyond 64 bits")
            return value
        if isinstance(value, float):
            return number(value)
        if isinstance(value, (tuple, list)):
            return [self.argument(item) for item in value]
        if isinstance(value, torch.device):
            return None
        if isinstance(value, torch.dtype):
            if value not in DTYPES:
                raise NotCaptured(f"dtype {name_of(value)}")
            return {"dtype": name_of(value)}
        if isinstance(value, (str, torch.layout, torch.memory_format)):
            return {"str": str(value)}
        if isinstance(value, torch.Tensor):
            raise NotCaptured("a tensor that is not on the device")
        raise NotCaptured(f"an argument of type {type(value).__name__}")


def spec_of(tensor):
    if tensor.layout != torch.strided or tensor.is_quantized:
        raise NotCaptured(f"layout {tensor.layout}")
    if tensor.dtype not in DTYPES:
        raise NotCaptured(f"dtype {name_of(tensor.dtype)}")
    spec = {"dtype": name_of(tensor.dtype), "sizes": list(tensor.shape)}
    if not tensor.is_contiguous() or tensor.storage_offset() != 0:
        spec |= {"layout": "strided", "strides": list(tensor.stride()), "offset": tensor.storage_offset()}
    bits = tensor.resolve_conj().resolve_neg().contiguous().view(BITS[tensor.element_size()]).reshape(-1)
    spec["fill"] = {"kind": "literal", "bits": [f"{pattern:x}" for pattern in bits.tolist()]}
    return spec


def reach(tensor):
    return 1 + tensor.storage_offset() + sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))


def held(tensor):
    """The tensor by itself: laid out as it was, unless that needs much more memory than it has values."""
    plain = tensor.detach().resolve_conj().resolve_neg()
    if plain.layout == torch.strided and (plain.numel() == 0 or reach(plain) > 8 * plain.numel() + 64):
        return plain.contiguous().clone()
    return plain


class Program:
    """One sample, captured."""

    def __init__(self, call, sample, device):
        capture = Capture(device)
        inputs = {}

        def placed(value):
            if isinstance(value, torch.device) or (isinstance(value, str) and value == "cpu"):
                return torch.device(device)
            if not isinstance(value, torch.Tensor):
                return value
            if id(value) not in inputs:
                inputs[id(value)] = capture.input(value)
            return inputs[id(value)]

        arguments, options = tree_map(placed, ((sample.input, *sample.args), sample.kwargs))
        self.raised = None
        with capture:
            try:
                results = call(*arguments, **options)
            except NotCaptured:
                raise
            except Exception as error:  # the subject of error inputs
                self.raised, results = error, ()
        self.outputs = []
        if isinstance(results, (bool, int, float)) and capture.question is not None and capture.question[1] is results:
            self.outputs.append({"node": len(capture.nodes), "output": 0})
            capture.nodes.append(capture.question[0])
        if not capture.nodes:
            raise NotCaptured(f"{type(self.raised).__name__}: {self.raised}" if self.raised else "it calls no operator")
        self.writes_inputs = any(id(wrapper) in capture.written for wrapper in inputs.values())
        self.capture = capture
        tensors = [value for value in tree_flatten(results)[0] if isinstance(value, torch.Tensor)]
        if not all(isinstance(tensor, DeviceTensor) for tensor in tensors):
            raise NotCaptured("a result that is not on the device")
        if any(tensor.inner.dtype not in DTYPES for tensor in tensors):
            raise NotCaptured(f"results of dtype {', '.join(sorted({name_of(tensor.inner.dtype) for tensor in tensors}))}")
        self.outputs += [capture.output(tensor) for tensor in tensors]

    def case(self, backward=False):
        inputs = [dict(spec) for spec in self.capture.inputs]
        for spec, takes_gradients in zip(inputs, self.capture.take_gradients):
            if backward and takes_gradients:
                spec["requires_grad"] = True
        program = {"inputs": inputs, "nodes": self.capture.nodes, "outputs": self.outputs}
        return {"program": program} | ({"backward": {}} if backward else {})


def outputs_of(case, backward=False):
    """Runs the case on the CPU; raises what it raises, or when gradients are asked for and no output has any."""
    tensors = []
    for spec in case["program"]["inputs"]:
        dtype = getattr(torch, spec["dtype"])
        patterns = torch.tensor([int(bits, 16) for bits in spec["fill"]["bits"]], dtype=torch.uint64)
        tensor = patterns.to(BITS[dtype.itemsize]).view(dtype).reshape(spec["sizes"])
        tensors.append(tensor.requires_grad_(backward and spec.get("requires_grad", False)))
    values = []

    def argument(value):
        if isinstance(value, list):
            return [argument(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "input" in value:
            return tensors[value["input"]]
        if "node" in value:
            return values[value["node"]][value["output"]]
        if "f64" in value:
            return struct.unpack(">d", bytes.fromhex(value["f64"]))[0]
        if "dtype" in value:
            return getattr(torch, value["dtype"])
        text = value["str"]
        return getattr(torch, text.removeprefix("torch.")) if text.startswith("torch.") else text

    for node in case["program"]["nodes"]:
        results = call(node["op"], [argument(value) for value in node["arguments"]])
        values.append(tree_flatten(results)[0])
    outputs = [argument(ref) for ref in case["program"]["outputs"]]
    if backward:
        roots = [output for output in outputs if output.requires_grad and output.is_floating_point()]
        if not roots:
            raise NotCaptured("no output takes gradients")
        leaves = [tensor for tensor in tensors if tensor.requires_grad]
        torch.autograd.grad(roots, leaves, [torch.ones_like(root) for root in roots], allow_unused=True)
    return outputs


def operator(name):
    namespace, _, rest = name.partition("::")
    base, _, overload = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, namespace), base), overload or "default")


def call(name, arguments):
    op = operator(name)
    parameters = op._schema.arguments
    positional = [value for parameter, value in zip(parameters, arguments) if not parameter.kwarg_only]
    options = {parameter.name: value for parameter, value in zip(parameters, arguments) if parameter.kwarg_only}
    return op(*positional, **options)


def without_bookkeeping():
    """Torch's test helpers look through the call stack for each sample, and for each seed: most of the time otherwise."""
    from torch.testing._internal import common_utils
    common_utils.extract_test_fn = lambda: None
    for module in (torch.cuda, torch.xpu):
        module.manual_seed_all = lambda seed: None


def become(device):
    """Makes this torch one that knows the device type."""
    torch.set_num_threads(1)
    without_bookkeeping()
    torch._C._set_only_lift_cpu_tensors(True)  # torch.tensor() makes a tensor of the CPU and copies it where the capture sees that
    if device not in ("cpu", "cuda", "xpu", "meta"):
        _setup_privateuseone_for_python_backend(device, DeviceModule())
