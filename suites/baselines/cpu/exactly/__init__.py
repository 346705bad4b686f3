"""What the scripts beside it are written in: torch alone, float64 and one rounding."""

import os
import sys

os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"

import torch  # noqa: E402

torch.set_num_threads(1)
torch.manual_seed(0)
aten = torch.ops.aten
BF16, F16, F32, F64 = torch.bfloat16, torch.float16, torch.float32, torch.float64
LOW = (BF16, F16)
differs = False


def w(tensor):
    return tensor.to(F64)


def r(value, dtype):
    """float64 to `dtype`, rounded once (through float32 rounded to odd)."""
    value = torch.as_tensor(value, dtype=F64)
    if dtype in (F32, F64):
        return value.to(dtype)
    near = value.to(F32)
    back, bits = near.to(F64), near.view(torch.int32)
    inexact = (back != value) & value.isfinite() & near.isfinite()
    bits = torch.where(inexact & (back.abs() > value.abs()), bits - 1, bits)
    return torch.where(inexact, bits | 1, bits).view(F32).to(dtype)


def added(terms, start):
    """One after the other, rounded at every addition."""
    for term in terms:
        start = r(w(start) + w(term), start.dtype)
    return start


def report(name, cpu, exact, mechanism=None):
    """Where the CPU is not the exact result rounded once; with the mechanism, how often it is not what that gives."""
    global differs
    right = r(exact, cpu.dtype)
    wrong = (cpu != right) & ~(cpu.isnan() & right.isnan())
    text = f"{name} {str(cpu.dtype)[6:]}: {int(wrong.sum())} of {cpu.numel()} differ"
    if mechanism is not None:
        text += f" ({int(((cpu != mechanism) & ~(cpu.isnan() & mechanism.isnan())).sum())} from what the mechanism gives)"
    print(text)
    if wrong.any():
        differs = True
        first = tuple(wrong.nonzero()[0].tolist())
        print(f"    CPU {cpu[first].item():.9g}, right {right[first].item():.9g}, unrounded {torch.as_tensor(exact, dtype=F64)[first].item():.17g}")


def finish(also=False):
    """Ends the script: whether a report, or the script itself, has seen a difference."""
    print("DIFFERENT" if differs or also else "same")
    sys.exit(1 if differs or also else 0)
