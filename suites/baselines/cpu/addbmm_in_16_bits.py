# Target cpu, cause "addbmm_in_16_bits": addbmm adds its products to a 16-bit result, batch by batch
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, added, finish, report, torch, w

for dtype in LOW:
    a, b = torch.randn(20, 4, 12).to(dtype), torch.randn(20, 12, 4).to(dtype)
    zero = torch.zeros(4, 4, dtype=dtype)
    report("addbmm", torch.addbmm(zero, a, b), torch.bmm(w(a), w(b)).sum(0), added(torch.bmm(w(a), w(b)), zero))

finish()
