# Target cpu, cause "averages_in_16_bits": windows are added up in 16 bits; gradients divided by the window are rounded, and so is every addition
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
    z = torch.randn(1000).to(dtype)
    total = added(z, torch.zeros((), dtype=dtype))
    for side in (10, 10, 10):
        total = r(w(total) / side, dtype)
    report("_adaptive_avg_pool3d", aten._adaptive_avg_pool3d(z.view(1, 1, 10, 10, 10), [1, 1, 1]).flatten(), w(z).mean().view(1), total.view(1))
    g, x = z[:49].view(1, 1, 7, 7), torch.zeros(1, 1, 10, 10, dtype=dtype)
    report("_adaptive_avg_pool2d_backward", aten._adaptive_avg_pool2d_backward(g, x), aten._adaptive_avg_pool2d_backward(w(g), w(x)))
    g, x = z[:64].view(1, 1, 8, 8), torch.zeros(1, 1, 10, 10, dtype=dtype)
    report("avg_pool2d_backward", aten.avg_pool2d_backward(g, x, [3, 3], [1, 1], [0, 0], False, True, None), aten.avg_pool2d_backward(w(g), w(x), [3, 3], [1, 1], [0, 0], False, True, None))

print("DIFFERENT" if differs else "same")
sys.exit(1 if differs else 0)
