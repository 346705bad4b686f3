# Target cpu, cause "integer_powers_in_bfloat16": integer exponents are repeated multiplication rounded to bfloat16 at every step
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import BF16, finish, r, report, torch, w

x = (torch.rand(4000) * 3 + 0.1).to(BF16)
square = w(r(w(x) ** 2, BF16))
report("pow(x, 3)", torch.pow(x, 3), w(x) ** 3, r(square * w(x), BF16))
report("pow(x, -2)", torch.pow(x, -2), w(x) ** -2, r(1 / square, BF16))

finish()
