# Target cpu, cause "histograms_in_16_bits": counts, weights and positions of histograms are kept in 16 bits (pytorch#174668)
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
import math
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


for dtype in LOW:
    x = torch.full((3000,), 0.5, dtype=dtype)
    report("histc, 3000 samples in one bin", torch.histc(x, 1, 0, 1), torch.tensor([3000.0]))
    x = (torch.rand(2000) * 0.2 - 0.3).to(dtype)
    exact = torch.histc(w(x), 10, -0.3, 0.7)
    report("histc, bins", torch.histc(x[:200], 10, -0.3, 0.7), torch.histc(w(x[:200]), 10, -0.3, 0.7))
    weights = torch.rand(60).to(dtype)
    report("histogramdd, weights", aten._histogramdd_from_bin_tensors(torch.full((60, 1), 0.5, dtype=dtype), [torch.tensor([0.0, 1.0], dtype=dtype)], weight=weights, density=False), w(weights).sum().view(1))

print("DIFFERENT" if differs else "same")
sys.exit(1 if differs else 0)
