"""Benchmarks of the built neuroncheck: ratios of things measured in turn within one run. Started by ci/bench."""

import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 3
ROWS = ["add.Tensor", "mul.Tensor", "exp", "tanh", "sum.dim_IntList", "mean.dim", "mm", "_softmax", "index_select", "cat"]
OPINFOS = ["add", "mul", "exp", "tanh", "sum", "mean", "mm", "softmax", "index_select", "cat"]

# A plain OpInfo loop over the same operators: float64 reference, assert_close. Its own CPU time, without imports.
OPINFO_LOOP = """
import resource, sys
import torch
from torch.testing._internal.common_methods_invocations import op_db
torch.set_num_threads(1)
names = set(sys.argv[1].split(","))

def widened(value):
    return torch.utils._pytree.tree_map(lambda x: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x, value)

started = resource.getrusage(resource.RUSAGE_SELF)
cases = 0
for op in op_db:
    if op.name not in names or op.variant_test_name not in ("", "with_dtype"):
        continue
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        if dtype not in op.supported_dtypes("cpu"):
            continue
        for sample in op.sample_inputs("cpu", dtype):
            seen = op(sample.input, *sample.args, **sample.kwargs)
            wanted = op(widened(sample.input), *widened(sample.args), **widened(sample.kwargs))
            try:
                torch.testing.assert_close(seen.double(), wanted.double(), rtol=1.6e-2, atol=1e-5, equal_nan=True)
            except AssertionError:
                pass
            cases += 1
ended = resource.getrusage(resource.RUSAGE_SELF)
print(cases, ended.ru_utime + ended.ru_stime - started.ru_utime - started.ru_stime)
"""


def children_cpu_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(folder, *arguments):
    """A quiet run into a fresh database; (database, CPU seconds, start of the worker included)."""
    database = os.path.join(folder, f"{len(os.listdir(folder))}.db")
    rows = [word for row in ROWS for word in ("--op", row)]
    before = children_cpu_s()
    subprocess.run(["build/bin/neuroncheck", "run", "--quiet", "--jobs", "1", "--db", database, *rows, *arguments], check=True)
    return database, children_cpu_s() - before


def ask(database, sql):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return [row[0] for row in connection.execute(sql)]


def harness(folder):
    rates, costs = [], []
    for _ in range(ROUNDS):
        text = subprocess.run([sys.executable, "-c", OPINFO_LOOP, ",".join(OPINFOS)], check=True, capture_output=True, text=True).stdout
        cases, cpu_s = text.split()
        database, ours_s = run(folder, "--path", "eager", "--cases", "640")
        judged = ask(database, "SELECT count(*) FROM result")[0]
        costs += ask(database, "SELECT harness_us FROM result WHERE harness_us > 0")
        rates.append((judged / ours_s) / (int(cases) / float(cpu_s)))
        print(f"  neuroncheck {judged / ours_s:8.0f} judged cases per CPU-second, OpInfo loop {int(cases) / float(cpu_s):8.0f}", flush=True)
    print(f"harness's own CPU time per eager case, median: {statistics.median(costs):.0f} us")
    print(f"judged cases per CPU-second, against a plain OpInfo loop: {statistics.median(rates):.2f}x (start of the worker included)")


def batches(folder):
    ratios = []
    for _ in range(ROUNDS):
        figures = {}
        for batch in ("48", "1"):
            database, cpu_s = run(folder, "--path", "compiled", "--dtype", "f32", "--batch", batch)
            figures[batch] = ask(database, "SELECT count(*) FROM result")[0] / cpu_s
        ratios.append(figures["48"] / figures["1"])
        print(f"  batched {figures['48']:6.1f} judged cases per CPU-second, one compile per case {figures['1']:6.1f}", flush=True)
    print(f"compiled batches against one compile per case: {statistics.median(ratios):.1f}x")


if __name__ == "__main__":
    chosen = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        for name, bench in (("harness", harness), ("batches", batches)):
            if chosen in ("all", name):
                print(name, flush=True)
                bench(scratch)
