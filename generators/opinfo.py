#!/usr/bin/env python3
"""Captures the OpInfo samples of the installed torch as programs of ATen calls below autograd, for one device type.

Usage: opinfo.py --device NAME --out FOLDER [--op GLOB] [--samples N]

FOLDER gets index.json (a line per OpInfo: row, dtypes, number of cases, or why it has none) and one file of cases per row. Samples are drawn on the
CPU; tensors are shown to torch as tensors of the device type, whose package need not be installed, so that composites choose the ops they would
choose there, while values are computed on the CPU. An op that the CPU alone has, in a program for another device, is an error.
"""

import argparse
import fnmatch
import functools
import hashlib
import json
import multiprocessing
import os
import random
import re
import struct
import sys
import warnings

import numpy
import torch
from torch.testing._internal.opinfo.core import SampleInput
from torch.utils._mode_utils import no_dispatch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten
from torch.utils.backend_registration import _DummyBackendModule, _setup_privateuseone_for_python_backend

# The dtypes of harness/dtype.h that OpInfos use.
DTYPES = [torch.float32, torch.bfloat16, torch.float16, torch.float64, torch.complex64, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8,
          torch.bool]
BITS = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32, 8: torch.uint64}
MOST_ELEMENTS = 4096  # of all inputs of a case together: its values are written out
MOST_OF_ONE = 65536  # where all samples are larger than that, the smallest one is taken
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


def spread(items, count):
    """At most `count` of them, evenly."""
    if len(items) <= count:
        return list(items)
    return [items[i * len(items) // count] for i in range(count)]


def elements_of(sample):
    tensors = {id(value): value for value in tree_flatten((sample.input, sample.args, sample.kwargs))[0] if isinstance(value, torch.Tensor)}
    return sum(tensor.numel() for tensor in tensors.values())


def samples_of(op, dtype, count, differentiable):
    """Sample inputs, and reference inputs where there is room left; those whose values can be written out."""
    usual = list(op.sample_inputs("cpu", dtype, requires_grad=differentiable))
    chosen = spread([sample for sample in usual if elements_of(sample) <= MOST_ELEMENTS], count)
    if len(chosen) < count and op.reference_inputs_func is not None:
        further = list(op.reference_inputs("cpu", dtype, requires_grad=differentiable))[len(usual):]
        chosen += spread([sample for sample in further if elements_of(sample) <= MOST_ELEMENTS], count - len(chosen))
    return chosen or sorted([sample for sample in usual if elements_of(sample) <= MOST_OF_ONE], key=elements_of)[:1]


class Reasons:
    """Why samples are no cases, and how many."""

    def __init__(self):
        self.counts = {}

    def add(self, reason):
        text = " ".join(str(reason).split())[:160]
        self.counts[text] = self.counts.get(text, 0) + 1

    def most_frequent(self):
        return max(self.counts, key=self.counts.get, default="it has no samples")


def seeded(text):
    """Samples depend on the OpInfo's name and dtype alone."""
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")
    torch.manual_seed(seed)
    numpy.random.seed(seed)
    random.seed(seed)


def captured(call, sample, device, differentiable, reasons):
    """The case, or None."""
    try:
        program = Program(call, sample, device)
        if program.raised is not None:
            raise NotCaptured(f"{type(program.raised).__name__}: {program.raised}")
        if not program.outputs:
            raise NotCaptured("it returns no tensor")
        case = program.case(differentiable and not program.writes_inputs)
        outputs_of(case, "backward" in case)
        return case
    except Exception as error:
        reasons.add(error if isinstance(error, NotCaptured) else f"{type(error).__name__}: {error}")
        return None


def cases_of(op, device, count, reasons):
    """By dtype. Either all of a dtype take gradients or none."""
    cases = {}
    for dtype in DTYPES:
        if dtype not in op.supported_dtypes("cpu"):
            continue
        seeded(f"{op.full_name} {dtype}")
        differentiable = op.supports_autograd and dtype in op.supported_backward_dtypes("cpu") and dtype.is_floating_point
        try:
            samples = samples_of(op, dtype, count, differentiable)
        except Exception as error:
            reasons.add(f"its samples cannot be made: {type(error).__name__}: {error}")
            continue
        found = [captured(op, sample, device, differentiable, reasons) for sample in samples]
        if differentiable and not any(found):  # better without gradients than not at all
            found = [captured(op, sample, device, False, reasons) for sample in samples]
        found = [case for case in found if case is not None]
        if any("backward" in case for case in found):
            found = [case for case in found if "backward" in case]
        if found:
            cases[name_of(dtype)] = found
    return cases


def error_cases_of(op, device, count):
    """Inputs that an operator of the program refuses, by dtype. What Python or a composite refuses never reaches a device."""
    cases = {}
    if op.error_inputs_func is None:
        return cases
    seeded(op.full_name)
    try:
        errors = list(op.error_inputs("cpu"))
    except Exception:
        return cases
    for error in spread(errors, count):
        try:
            program = Program(op, error.sample_input, device)
        except Exception:
            continue
        if program.raised is None or not program.capture.inputs:
            continue
        case = program.case()
        try:
            outputs_of(case)
        except Exception:
            cases.setdefault(case["program"]["inputs"][0]["dtype"], []).append(case)
    return cases


def written(op, suffix, cases, folder, device, invalid=False):
    """The row's line of the index; its cases go to a file of their own."""
    release = torch.__version__.split("+")[0]
    file = f"{op.full_name}{suffix.replace('/', '-')}.json"
    text = json.dumps(cases, separators=(",", ":"))
    with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
        out.write(text)
    return {
        "row": f"opinfo/{op.full_name}{suffix}@{device}-{release}",
        "op": f"opinfo::{op.full_name}",
        "file": file,
        "dtypes": list(cases),
        "cases": max(len(some) for some in cases.values()),
        "differentiable": any("backward" in some[0] for some in cases.values()),
        "invalid": invalid,
        "compiles": not any(returns_a_number(case) for some in cases.values() for case in some),
        "digest": hashlib.blake2b(text.encode(), digest_size=8).hexdigest(),
    }


def returns_a_number(case):
    """Dynamo has no graph that ends in one."""
    program = case["program"]
    ops = [operator(program["nodes"][ref["node"]]["op"]) for ref in program["outputs"] if "node" in ref]
    return any("Tensor" not in str(result.type) for op in ops for result in op._schema.returns)


def is_floating(dtype):
    return getattr(torch, dtype).is_floating_point


def rows_of(op, cases, folder, device):
    """One row; floating dtypes without gradients stand apart where others have them."""
    without = {dtype: some for dtype, some in cases.items() if is_floating(dtype) and "backward" not in some[0]}
    if len(without) == sum(is_floating(dtype) for dtype in cases):
        without = {}
    usual = {dtype: some for dtype, some in cases.items() if dtype not in without}
    return [written(op, suffix, some, folder, device) for suffix, some in (("", usual), ("/forward", without)) if some]


def capture_one(op, device, folder, count):
    """The lines of the index that it adds: rows, and why there is none."""
    reasons = Reasons()
    cases = cases_of(op, device, count, reasons)
    rows = rows_of(op, cases, folder, device)
    errors = error_cases_of(op, device, count)
    if errors:
        rows.append(written(op, "/errors", errors, folder, device, invalid=True))
    return rows, [] if cases else [{"op": f"opinfo::{op.full_name}", "reason": reasons.most_frequent()}]


def capture_all(ops, device, folder, count):
    rows, missing = [], []
    work = functools.partial(capture_one, device=device, folder=folder, count=count)
    global capture_number  # OpInfos hold functions that cannot be sent to another process: it inherits them

    def capture_number(number):
        return work(ops[number])

    with multiprocessing.get_context("fork").Pool() as pool:
        for done, (more_rows, more_missing) in enumerate(pool.imap(capture_number, range(len(ops)), chunksize=4)):
            rows += more_rows
            missing += more_missing
            if done % 10 == 9:
                print(f"\rcapturing OpInfo samples: {done + 1} of {len(ops)}", end="", file=sys.stderr, flush=True)
    print("", file=sys.stderr)
    return rows, missing


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--op", default="*")
    parser.add_argument("--samples", type=int, default=8)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    from torch.testing._internal.common_methods_invocations import op_db
    become(options.device)
    os.makedirs(options.out, exist_ok=True)
    ops = [op for op in op_db if fnmatch.fnmatch(op.name, options.op)]
    rows, missing = capture_all(ops, options.device, options.out, options.samples)
    with open(os.path.join(options.out, "index.json"), "w", encoding="utf-8") as out:
        json.dump({"source": "opinfo", "device": options.device, "torch": torch.__version__, "rows": rows, "missing": missing}, out, indent=1)


if __name__ == "__main__":
    main()
