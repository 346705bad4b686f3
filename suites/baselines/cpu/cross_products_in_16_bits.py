# Target cpu, cause "cross_products_in_16_bits": linalg_cross rounds both products to 16 bits before it subtracts them
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F16, LOW, finish, r, report, torch, w

for dtype in LOW:
    a, b = torch.randn(100, 3).to(dtype), torch.randn(100, 3).to(dtype)
    A, B = w(a), w(b)
    report("linalg_cross, x", torch.linalg.cross(a, b)[:, 0], A[:, 1] * B[:, 2] - A[:, 2] * B[:, 1], r(w(r(A[:, 1] * B[:, 2], dtype)) - w(r(A[:, 2] * B[:, 1], dtype)), dtype))
a, b = torch.tensor([[0.0, 1000.0, 900.0]], dtype=F16), torch.tensor([[0.0, 1000.0, 100.0]], dtype=F16)
report("linalg_cross, products overflow", torch.linalg.cross(a, b), torch.linalg.cross(w(a), w(b)))

finish()
