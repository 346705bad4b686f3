# Target cpu, cause "factor_of_renorm": renorm rounds the factor to 16 bits before it multiplies
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, finish, r, report, torch, w

for dtype in LOW:
    x = torch.randn(8, 500).to(dtype)
    norm = w(x).norm(dim=1, keepdim=True)
    report("renorm", torch.renorm(x, 2, 0, 1.0), w(x) / norm, r(w(x) * w(r(1 / (norm + 1e-7), dtype)), dtype))

finish()
