# Target cpu, cause "airy_overflow": 2/3 |x|^1.5 overflows in float32: NaN below -6e25
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
import math

from exactly import finish, torch, w

x = torch.tensor([-1e30])
got, right = torch.special.airy_ai(x), torch.special.airy_ai(w(x))
print("airy_ai(-1e30), float32:", got.item(), "at most", 1 / math.sqrt(math.pi) * 1e30**-0.25, "in magnitude; float64:", right.item())
differs = bool(got.isnan().any())

finish(differs)
