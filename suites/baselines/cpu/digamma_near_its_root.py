# Target cpu, cause "digamma_near_its_root": polygamma(0, x) cancels near the root of digamma
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import finish, report, torch, w

x = torch.tensor([1.4616, 1.4617, 1.4618])
report("polygamma(0, x)", torch.polygamma(0, x), torch.polygamma(0, w(x)))
error = (w(torch.polygamma(0, x)) / torch.polygamma(0, w(x)) - 1).abs().max().item()
print(f"relative error {error:.2g}")
differs = error > 1e-4

finish(differs)
