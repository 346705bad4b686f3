# Target cpu, cause "means_of_rounded_sums": the mean divides a sum that has been rounded to 16 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F16, LOW, finish, r, report, torch, w

for dtype in LOW:
    rows, spots = torch.randn(60, 10).to(dtype), torch.zeros(60, dtype=torch.int64)
    mechanism = r(w(r(w(rows).sum(0), dtype)) / 60, dtype)
    report("scatter_reduce mean", torch.zeros(1, 10, dtype=dtype).scatter_reduce(0, spots.view(60, 1).expand(60, 10), rows, "mean", include_self=False)[0], w(rows).mean(0), mechanism)
    report("index_reduce mean", torch.zeros(1, 10, dtype=dtype).index_reduce(0, spots, rows, "mean", include_self=False)[0], w(rows).mean(0))
big = torch.full((2, 1), 60000.0, dtype=F16)
report("index_reduce mean, overflow", torch.zeros(1, 1, dtype=F16).index_reduce(0, torch.tensor([0, 0]), big, "mean", include_self=False)[0], w(big).mean(0))

finish()
