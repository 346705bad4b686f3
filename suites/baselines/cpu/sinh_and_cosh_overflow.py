# Target cpu, cause "sinh_and_cosh_overflow": the vectorised sinh and cosh are infinite once exp(x) overflows (pytorch#48641)
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
import math

from exactly import BF16, F32, F64, finish, report, torch, w

for dtype, x in ((F32, 89.0), (F64, 709.9), (BF16, 89.0)):
    many = torch.full((64,), x, dtype=dtype)
    value = w(many)[:1]
    exact = (value - math.log(2)).exp()  # exp(-x) is below the last bit
    report("sinh", torch.sinh(many)[:1], exact if dtype == BF16 else w(torch.sinh(many[:1])))
    report("cosh", torch.cosh(many)[:1], exact if dtype == BF16 else w(torch.cosh(many[:1])))
for x in torch.arange(88.0, 89.5, 0.125).tolist():
    print(x, torch.cosh(torch.full((64,), x))[0].item(), math.cosh(x))

finish()
