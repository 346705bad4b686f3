# Target cpu, cause "erf_near_zero": 16-bit erf is 1 - p(t) exp(-x * x) in float32: absolute accuracy near 0 (multiples of 2^-24)
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import BF16, LOW, finish, report, torch, w

for dtype in LOW:
    x = (torch.randn(64) * 1e-3).to(dtype)
    got = torch.erf(x)
    report("erf", got, torch.erf(w(x)))
    print("    multiples of 2^-24:", bool((w(got) * 2**24 == (w(got) * 2**24).round()).all()))
print("erf(1e-9), bfloat16:", torch.erf(torch.tensor([1e-9], dtype=BF16)).item(), "float32:", torch.erf(torch.tensor([1e-9])).item())

finish()
