# Target cpu, cause "chebyshev_polynomials": from degree 7 (or 9) on |x| < 1 takes trigonometric functions of a rounded arccosine
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


def recurrence(kind, n, x):  # in float64
    p, q = torch.ones_like(x), {"t": x, "u": 2 * x, "v": 2 * x - 1}[kind]
    for _ in range(n - 1):
        p, q = q, 2 * x * q - p
    return q


zero = torch.zeros(1)
print("T_7(0), exactly 0:", torch.special.chebyshev_polynomial_t(zero, torch.tensor([7])).item())
print("U_9(0), exactly 0:", torch.special.chebyshev_polynomial_u(zero, torch.tensor([9])).item())
report("T_7(0)", torch.special.chebyshev_polynomial_t(zero, torch.tensor([7])), zero)
report("U_9(0)", torch.special.chebyshev_polynomial_u(zero, torch.tensor([9])), zero)
for shifted in ("", "shifted_"):
    for kind in "tuv":
        x = torch.rand(20000) * 2 - 1
        x = (x.abs() if shifted else x)
        argument = 2 * x - 1 if shifted else x
        exact = recurrence(kind, 12, 2 * w(x) - 1 if shifted else w(x))
        got = getattr(torch.special, f"{shifted}chebyshev_polynomial_{kind}")(x, torch.full_like(x, 12, dtype=torch.int64))
        print(f"{shifted}{kind.upper()}_12: off by up to {(w(got) - exact).abs().max().item():.2g}; the recurrence in float32 by {(w(recurrence(kind, 12, argument)) - exact).abs().max().item():.2g}")

print("DIFFERENT" if differs else "same")
sys.exit(1 if differs else 0)
