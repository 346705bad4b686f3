# Target cpu, cause "histograms_in_16_bits": counts, weights and positions of histograms are kept in 16 bits (pytorch#174668)
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, aten, finish, report, torch, w

for dtype in LOW:
    x = torch.full((3000,), 0.5, dtype=dtype)
    report("histc, 3000 samples in one bin", torch.histc(x, 1, 0, 1), torch.tensor([3000.0]))
    x = (torch.rand(2000) * 0.2 - 0.3).to(dtype)
    exact = torch.histc(w(x), 10, -0.3, 0.7)
    report("histc, bins", torch.histc(x[:200], 10, -0.3, 0.7), torch.histc(w(x[:200]), 10, -0.3, 0.7))
    weights = torch.rand(60).to(dtype)
    report("histogramdd, weights", aten._histogramdd_from_bin_tensors(torch.full((60, 1), 0.5, dtype=dtype), [torch.tensor([0.0, 1.0], dtype=dtype)], weight=weights, density=False), w(weights).sum().view(1))

finish()
