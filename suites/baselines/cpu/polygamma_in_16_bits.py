# Target cpu, cause "polygamma_in_16_bits": polygamma rounds zeta to 16 bits before it multiplies with the factorial
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F64, LOW, finish, r, report, torch, w

for dtype in LOW:
    x = (torch.rand(4000) * 3 + 0.5).to(dtype)
    zeta = torch.special.zeta(torch.tensor(4.0, dtype=F64), w(x))
    report("polygamma(3, x)", torch.polygamma(3, x), 6 * zeta, r(6 * w(r(zeta, dtype)), dtype))

finish()
