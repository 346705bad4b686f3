# Target cpu, cause "cubic_weights_in_bfloat16": upsample_bicubic2d rounds its weights to bfloat16
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


def resized(image, size, weights_of):  # image: float64 square
    n = image.shape[-1]
    matrix = torch.zeros(size, n, dtype=F64)
    for i in range(size):
        position = (i + 0.5) * n / size - 0.5
        first, a = math.floor(position), -0.75
        t = position - first
        near, far = (lambda u: ((a + 2) * u - (a + 3)) * u * u + 1), (lambda u: ((a * u - 5 * a) * u + 8 * a) * u - 4 * a)
        for j, value in enumerate(weights_of(torch.tensor([far(t + 1), near(t), near(1 - t), far(2 - t)], dtype=F64)).tolist()):
            matrix[i, min(max(first - 1 + j, 0), n - 1)] += value
    return matrix @ image @ matrix.t()


for dtype in LOW:
    image = torch.randn(30, 30).to(dtype)
    got = torch.nn.functional.interpolate(image[None, None], size=(24, 24), mode="bicubic")[0, 0]
    report("upsample_bicubic2d, 30 to 24", got, resized(w(image), 24, lambda v: v), r(resized(w(image), 24, lambda v: w(r(v, dtype))), dtype))

print("DIFFERENT" if differs else "same")
sys.exit(1 if differs else 0)
