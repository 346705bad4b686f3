# Target cpu, cause "products_in_16_bits": prod is kept in 16 bits and rounded at every multiplication; its gradient divides that
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, finish, r, report, torch, w

for dtype in LOW:
    x = (torch.rand(50, 40) * 0.2 + 0.9).to(dtype)
    total = torch.ones((), dtype=dtype)
    for value in x[0]:
        total = r(w(total) * w(value), dtype)
    report("prod", torch.prod(x[0]).view(1), w(x[0]).prod().view(1), total.view(1))
    report("prod of rows", torch.prod(x, 1), w(x).prod(1))

finish()
