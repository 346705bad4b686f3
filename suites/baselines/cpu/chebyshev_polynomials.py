# Target cpu, cause "chebyshev_polynomials": from degree 7 (or 9) on |x| < 1 takes trigonometric functions of a rounded arccosine
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import finish, report, torch, w

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

finish()
