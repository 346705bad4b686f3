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
import sys
import warnings

import numpy
import torch
from torch.utils._pytree import tree_flatten

from opinfo_capture import DTYPES, NotCaptured, Program, become, name_of, operator, outputs_of

MOST_ELEMENTS = 4096  # of all inputs of a case together: its values are written out
MOST_OF_ONE = 65536  # where all samples are larger than that, the smallest one is taken


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
    torch.use_deterministic_algorithms(True, warn_only=True)  # some are made of memory that nothing has written: it is filled then
    try:
        errors = list(op.error_inputs("cpu"))
    except Exception:
        return cases
    finally:
        torch.use_deterministic_algorithms(False)
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
