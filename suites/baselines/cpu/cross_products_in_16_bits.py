# Target cpu, cause "cross_products_in_16_bits": linalg_cross rounds both products to 16 bits before it subtracts them
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
    a, b = torch.randn(100, 3).to(dtype), torch.randn(100, 3).to(dtype)
    A, B = w(a), w(b)
    report("linalg_cross, x", torch.linalg.cross(a, b)[:, 0], A[:, 1] * B[:, 2] - A[:, 2] * B[:, 1], r(w(r(A[:, 1] * B[:, 2], dtype)) - w(r(A[:, 2] * B[:, 1], dtype)), dtype))
a, b = torch.tensor([[0.0, 1000.0, 900.0]], dtype=F16), torch.tensor([[0.0, 1000.0, 100.0]], dtype=F16)
report("linalg_cross, products overflow", torch.linalg.cross(a, b), torch.linalg.cross(w(a), w(b)))

print("DIFFERENT" if differs else "same")
sys.exit(1 if differs else 0)
