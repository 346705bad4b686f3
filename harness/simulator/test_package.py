"""The package from Python: python test_package.py STAGE, as unit test of ctest. Each check runs in a process of its own."""

import pathlib
import subprocess
import sys
import tempfile
import textwrap

STAGE = sys.argv[1]
CHECKS = {}

CHECKS["imports as the vendor's"] = """
import torch, torch_neuronx, importlib.metadata as metadata
import torch_neuronx  # twice is once
assert "simulated" in torch_neuronx.__version__ and "neuroncheck" in metadata.metadata("torch-neuronx")["Summary"]
assert {p.name for p in metadata.entry_points(group="torch.backends")} == {"neuron"}
assert {p.value for p in metadata.entry_points(group="torch_dynamo_backends") if p.name == "neuron"} \\
    == {"torch_neuronx.neuron_dynamo_backend.backend:neuron_backend"}
x = torch.ones(2, device="neuron")
assert x.is_neuron and torch.neuron.device_count() == 1 and torch.accelerator.current_accelerator().type == "neuron"
torch_neuronx.clear_op_tracking()
y = (x + x).atan().cpu()
torch_neuronx.synchronize()
assert "aten::add.Tensor" in torch_neuronx.get_executed_ops(), torch_neuronx.get_executed_ops()
assert torch_neuronx.get_fallback_ops() == ["aten::atan.out"], torch_neuronx.get_fallback_ops()
assert "aten::add.Tensor" in torch_neuronx.utils.get_neuron_registered_ops()
"""

CHECKS["eager training equals the CPU's"] = """
import copy, torch, torch_neuronx
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(), torch.nn.LayerNorm(8), torch.nn.Linear(8, 2))
twin = copy.deepcopy(model).to("neuron")
x = torch.randn(3, 4)
model(x).square().mean().backward()
twin(x.to("neuron")).square().mean().backward()
for a, b in zip(model.parameters(), twin.parameters()):
    torch.testing.assert_close(a.grad, b.grad.cpu())
"""

CHECKS["compiled forward and backward"] = """
import torch, torch_neuronx
from torch._dynamo.utils import counters
def f(x, w):
    return torch.softmax(torch.relu(x @ w) + 1, -1).sum(0)
x, w = torch.randn(5, 4), torch.randn(4, 3)
dx, dw = x.to("neuron").requires_grad_(), w.to("neuron").requires_grad_()
compiled = torch.compile(f, backend="neuron", fullgraph=True, dynamic=False)
torch_neuronx.clear_op_tracking()
out = compiled(dx, dw)
out.sum().backward(retain_graph=True)
assert torch_neuronx.get_fallback_ops() == [] and "torch_compile" in torch_neuronx.get_executed_ops(), torch_neuronx.get_executed_ops()
assert counters["neuron"]["compiled_graphs"] == 2 and len(torch_neuronx.get_dynamo_metrics()) == 2
x.requires_grad_(), w.requires_grad_()
expected = f(x, w)
torch.testing.assert_close(out.cpu(), expected)
expected.sum().backward()
torch.testing.assert_close(dw.grad.cpu(), w.grad, atol=1e-5, rtol=1e-5)
h = torch.randn(8, 8).bfloat16()
g = torch.compile(lambda a: torch.exp(a) * a, backend="neuron", dynamic=False)
assert torch.equal(g(h.to("neuron")).cpu(), (torch.exp(h.to("neuron")) * h.to("neuron")).cpu())
"""

CHECKS["compiled mutation, views and CPU inputs"] = """
import torch, torch_neuronx
def f(x, y):
    x.add_(1)
    return x.t(), y.view(-1)[1:], torch.cat([x, y]), torch.full((2,), 3.0, device=x.device), x.var()
x, y = torch.randn(2, 3), torch.randn(2, 3)
dx, dy = x.to("neuron"), y.to("neuron")
out = torch.compile(f, backend="neuron", fullgraph=True, dynamic=False)(dx, dy)
for a, b in zip(out, f(x, y)):
    torch.testing.assert_close(a.cpu(), b)
torch.testing.assert_close(dx.cpu(), x)
assert torch.compile(lambda a: a * 2, backend="neuron", dynamic=False)(torch.ones(2)).device.type == "neuron"
"""

CHECKS["refuses dynamic shapes and unknown operators"] = """
import torch, torch_neuronx
def failure(f, *inputs, **options):
    torch._dynamo.reset()
    try:
        torch.compile(f, backend="neuron", **options)(*inputs)
    except torch._dynamo.exc.BackendCompilerFailed as error:
        return error.inner_exception
x = torch.ones(3, device="neuron")
error = failure(lambda a: a + 1, x, dynamic=True)
assert type(error) is RuntimeError and "requires static shapes. Found 1 dynamic dimension(s): [" in str(error), error
error = failure(lambda a: torch.special.i0e(a), x, dynamic=False)
assert type(error).__name__ == "NEFFCompilationError" and "[NCC_EVRF001]" in str(error) and "i0e" in str(error), error
"""

CHECKS["faults of compiled graphs"] = """
import torch, torch_neuronx
from torch import ops
x, z = torch.randn(4, device="neuron"), torch.randn(7, device="neuron")
def results():
    torch._dynamo.reset()
    f = torch.compile(lambda a: a * 2, backend="neuron", dynamic=False)
    g = torch.compile(lambda a: a.bfloat16().float(), backend="neuron", dynamic=False)
    return f(x).cpu(), f(z).cpu(), g(x).cpu()
right = results()
ops.neuron_sim.set_fault("stale_second_shape", "")
stale = results()
ops.neuron_sim.set_fault("cast_elided", "")
elided = results()
assert torch.equal(right[0], stale[0]) and not torch.equal(right[1], stale[1]) and torch.equal(right[2], stale[2])
assert torch.equal(right[1], elided[1]) and not torch.equal(right[2], elided[2]) and torch.equal(elided[2], x.cpu())
"""

CHECKS["strict fallback raises"] = """
import os
os.environ["TORCH_NEURONX_FALLBACK_ONLY_FOR_UNIMPLEMENTED_OPS"] = "1"
import torch, torch_neuronx
x = torch.zeros(2, 3, device="neuron")
try:
    x[:, 1].add_(2)
    raise SystemExit("no error")
except RuntimeError as error:
    assert str(error).startswith("CPU fallback disabled because TORCH_NEURONX_FALLBACK_ONLY_FOR_UNIMPLEMENTED_OPS=1. Operation"), error
x.atan()
"""

CHECKS["native int64 is kept until the fault wraps it"] = """
import os
os.environ["NEURON_SIM_NATIVE_INT64"] = "1"
import torch, torch_neuronx
x = torch.tensor([2**40], device="neuron")
assert (x + 1).item() == 2**40 + 1
torch.ops.neuron_sim.set_fault("int64_add_wraps", "")
assert (x + 1).item() == 1
"""

CHECKS["what the compiler refuses runs on the host"] = """
import torch, torch_neuronx
x = torch.tensor([3, 1, 2], device="neuron", dtype=torch.int32)
assert torch.topk(x, 2).values.tolist() == [3, 2]
assert torch_neuronx.get_fallback_ops() == ["aten::topk"], torch_neuronx.get_fallback_ops()
"""

CHECKS["what the compiler refuses raises without recovery"] = """
import os
os.environ["NEURON_FALLBACK_ENABLED"] = "0"
import torch, torch_neuronx
try:
    torch.topk(torch.tensor([3, 1, 2], device="neuron", dtype=torch.int32), 2)
    raise SystemExit("no error")
except RuntimeError as error:
    assert "[NCC_EVRF013]" in str(error) and "CPU fallback is disabled for operation=aten::topk" in str(error), error
"""

CHECKS["loaded from C++ first"] = """
import ctypes, importlib.util, pathlib, torch
package = pathlib.Path(importlib.util.find_spec("torch_neuronx").origin).parent
ctypes.CDLL(str(package / "libneuron_sim.so"))
import torch_neuronx
x = torch.ones(2, device="neuron")
assert (x + x).tolist() == [2, 2] and "aten::add.Tensor" in torch_neuronx.get_executed_ops()
"""

CHECKS["everything can be native"] = """
import os
os.environ["NEURON_SIM_SUPPORTED"] = "all"
import torch, torch_neuronx
x = torch.randn(3, 3, device="neuron")
torch.linalg.svd(x); torch.sort(x); torch.nn.functional.max_pool1d(x, 2); x.atan()
torch.randn(2, device="neuron", generator=torch.Generator("neuron"))
assert torch_neuronx.get_fallback_ops() == [], torch_neuronx.get_fallback_ops()
"""


def run(code, path):
    environment = {"PYTHONPATH": ":".join(path), "TORCH_DEVICE_BACKEND_AUTOLOAD": "0", "PATH": "/usr/bin:/bin", "HOME": tempfile.gettempdir()}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=tempfile.gettempdir())


def check(name, code, path):
    result = run(code, path)
    print("ok  " if result.returncode == 0 else "FAIL", name)
    if result.returncode != 0:
        print(textwrap.indent(result.stdout + result.stderr[-3000:], "     "))
    return result.returncode == 0


def main():
    passed = [check(name, code, [STAGE]) for name, code in CHECKS.items()]
    with tempfile.TemporaryDirectory() as folder:
        dummy = pathlib.Path(folder) / "torch_neuronx"
        dummy.mkdir()
        (dummy / "__init__.py").write_text("__version__ = 'installed'\n")
        ours = "import torch_neuronx; assert 'simulated' in torch_neuronx.__version__"
        theirs = "import torch_neuronx; assert torch_neuronx.__version__ == 'installed'"
        passed.append(check("an installed package stays out of a worker", ours, [STAGE, folder]))
        passed.append(check("a worker of another target gets the installed package", theirs, [folder]))
        nothing = "import importlib.util; assert importlib.util.find_spec('torch_neuronx') is None"
        passed.append(check("nothing of ours without its folder on the path", nothing, []))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
