# Target cpu, cause "nll_sums_in_16_bits": nll_loss adds losses and weights up in 16 bits; gradients divide by that total
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
    x, target, weight = torch.randn(50, 3).to(dtype), torch.arange(50) % 3, (torch.rand(3) + 0.25).to(dtype)
    got, total = aten.nll_loss_forward(x, target, weight, 2, -100)
    picked, weights = w(x)[torch.arange(50), target], w(weight)[target]
    report("loss", got.view(1), -(picked * weights).sum().view(1))
    report("total weight", aten.nll_loss_forward(x, target, weight, 1, -100)[1].view(1), weights.sum().view(1))
    y = torch.randn(2, 3, 5, 5).to(dtype)
    report("2d loss", aten.nll_loss2d_forward(y, torch.zeros(2, 5, 5, dtype=torch.int64), None, 2, -100)[0].view(1), -w(y)[:, 0].sum().view(1))
    grad, sum_ = torch.rand((), dtype=F32).to(dtype), torch.tensor(5.625, dtype=dtype)
    report("backward", aten.nll_loss_backward(grad, x, target, weight, 1, -100, sum_)[torch.arange(50), target][:3], (-weights * w(grad) / w(sum_))[:3])
    grad = torch.tensor(0.7, dtype=F32).to(dtype)
    report("2d backward", aten.nll_loss2d_backward(grad, y, torch.arange(50).view(2, 5, 5) % 3, weight, 1, -100, sum_).sum(1).flatten()[:3], (-w(weight)[:3] * w(grad) / w(sum_)))

print("DIFFERENT" if differs else "same")
sys.exit(1 if differs else 0)
