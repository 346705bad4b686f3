# Target cpu, cause "convolutions_in_16_bits": transposed convolutions and gradients of inputs add columns up in 16 bits, gradients of weights batch by batch
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
    x, weight = torch.randn(1, 1, 12).to(dtype), torch.randn(1, 1, 5).to(dtype)
    total = torch.zeros(16, dtype=dtype)
    for k in range(5):
        column = torch.zeros(16, dtype=F64)
        column[k:k + 12] = w(r(w(weight[0, 0, k]) * w(x[0, 0]), dtype))
        total = r(w(total) + column, dtype)
    report("conv_transpose1d", torch.conv_transpose1d(x, weight).flatten(), torch.conv_transpose1d(w(x), w(weight)).flatten(), total)
    x, grad = torch.randn(40, 1, 9).to(dtype), torch.randn(40, 1, 7).to(dtype)
    weight = torch.randn(1, 1, 3).to(dtype).requires_grad_()
    got = torch.autograd.grad(torch.conv1d(x, weight), weight, grad)[0].flatten()
    samples = (w(x)[:, 0].unfold(1, 7, 1) * w(grad)).sum(2)
    report("conv1d, gradient of the weight", got, samples.sum(0), added(samples, torch.zeros(3, dtype=dtype)))
    x = torch.randn(4, 3, 10, 10).to(dtype).requires_grad_()
    weight, grad = torch.randn(5, 3, 3, 3).to(dtype), torch.randn(4, 5, 8, 8).to(dtype)
    got = torch.autograd.grad(torch.conv2d(x, weight), x, grad)[0]
    report("conv2d, gradient of the input", got, torch.conv_transpose2d(w(grad), w(weight)))

print("DIFFERENT" if differs else "same")
sys.exit(1 if differs else 0)
