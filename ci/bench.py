"""Benchmarks of the built neuroncheck: ratios of things measured in turn within one run. Started by ci/bench."""

import json
import math
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


def run(folder, ops, *arguments):
    """A quiet run of these ops (none: all) into a fresh database; (database, CPU seconds, start of the worker included)."""
    database = os.path.join(folder, f"{len(os.listdir(folder))}.db")
    rows = [word for op in ops for word in ("--op", op)]
    before = children_cpu_s()
    subprocess.run(["build/bin/neuroncheck", "run", "--quiet", "--jobs", "1", "--db", database, *rows, *arguments], check=True)
    return database, children_cpu_s() - before


def ask(database, sql):
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return [row[0] for row in connection.execute(sql)]


def harness(folder):
    rates = []
    for _ in range(ROUNDS):
        text = subprocess.run([sys.executable, "-c", OPINFO_LOOP, ",".join(OPINFOS)], check=True, capture_output=True, text=True).stdout
        cases, cpu_s = text.split()
        database, ours_s = run(folder, ROWS, "--path", "eager", "--cases", "640")
        judged = ask(database, "SELECT count(*) FROM result")[0]
        rates.append((judged / ours_s) / (int(cases) / float(cpu_s)))
        print(f"  neuroncheck {judged / ours_s:8.0f} judged cases per CPU-second, OpInfo loop {int(cases) / float(cpu_s):8.0f}", flush=True)
    tables = [ask(run(folder, [], "--path", "eager")[0], "SELECT harness_us FROM result") for _ in range(ROUNDS)]
    costs = min(tables, key=statistics.median)  # what the neighbours of a shared machine take only adds
    print(f"harness's own CPU time per eager case, whole table, quietest of {ROUNDS} runs: "
          f"median {statistics.median(costs):.0f} us, mean {statistics.mean(costs):.0f} us")
    print(f"judged cases per CPU-second, against a plain OpInfo loop: {statistics.median(rates):.2f}x (start of the worker included)")


def elements(finding):
    """Of the largest input of its smallest case; symbols ("s0") stand for the sizes of each step."""
    case = json.loads(json.loads(finding["minimal"])["case_json"])
    steps = [step.get("symbols", []) for step in case.get("bindings", [{}])]
    shapes = [[steps_of[int(size[1:])] if isinstance(size, str) else size for size in given["sizes"]]
              for given in case["program"]["inputs"] for steps_of in steps]
    return max(map(math.prod, shapes), default=0)


def reproduces(database, finding):
    """Does its repro line fail in a fresh process, and does its script differ from the CPU (or die) there?"""
    begin = ["build/bin/neuroncheck", *finding["repro_line"].split()[1:], "--db", database]
    again = subprocess.run(begin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 1
    script = subprocess.run([*begin, "--emit", "python"], check=True, capture_output=True).stdout
    environment = os.environ | {"PYTHONPATH": "build/simulator"}
    ran = subprocess.run([sys.executable, "-"], input=script, env=environment, capture_output=True, check=False)
    return again, ran.returncode < 0 or ran.stdout.endswith(b"\nDIFFERENT\n")


def faults(folder):
    """The whole suite with each fault in turn: what is found, how small it becomes, and whether that fails again."""
    targets = json.loads(subprocess.run(["build/bin/neuroncheck", "targets", "--json"], check=True, capture_output=True).stdout)
    names = [(target["target"], fault) for target in targets for fault in target["faults"] if not sys.argv[2:] or fault in sys.argv[2:]]
    print(f"  {'fault':30} {'unexpected':>10} {'causes':>6} {'elements':>8}  replayed  script differs  smallest case")
    for target, fault in names:
        database = os.path.join(folder, f"{fault}.db")
        subprocess.run(["build/bin/neuroncheck", "run", "--quiet", "--target", target, "--fault", fault, "--db", database], check=False)
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            connection.row_factory = sqlite3.Row
            unexpected = connection.execute("SELECT count(*) FROM unexpected").fetchone()[0]
            causes = connection.execute("SELECT count(DISTINCT cause) FROM unexpected").fetchone()[0]
            findings = connection.execute("SELECT repro_line, minimal FROM finding WHERE triage NOT IN ('expected', 'improved')").fetchall()
        if not findings:
            print(f"  {fault:30} NOT FOUND", flush=True)
            continue
        smallest = min(findings, key=lambda finding: (elements(finding), len(finding["minimal"])))
        again, differs = reproduces(database, smallest)
        op = json.loads(smallest["minimal"])["op"]
        print(f"  {fault:30} {unexpected:10} {causes:6} {elements(smallest):8}  {'yes' if again else 'NO':8}  {'yes' if differs else 'NO':14}  {op}", flush=True)


def batches(folder):
    ratios = []
    for _ in range(ROUNDS):
        figures = {}
        for batch in ("48", "1"):
            database, cpu_s = run(folder, ROWS, "--path", "compiled", "--dtype", "f32", "--batch", batch)
            figures[batch] = ask(database, "SELECT count(*) FROM result")[0] / cpu_s
        ratios.append(figures["48"] / figures["1"])
        print(f"  batched {figures['48']:6.1f} judged cases per CPU-second, one compile per case {figures['1']:6.1f}", flush=True)
    print(f"compiled batches against one compile per case: {statistics.median(ratios):.1f}x")


if __name__ == "__main__":
    chosen = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        for name, bench in (("harness", harness), ("batches", batches), ("faults", faults)):
            if chosen == name or (chosen == "all" and name != "faults"):
                print(name, flush=True)
                bench(scratch)
