# Target cpu, cause "log_softmax_in_16_bits": along the last dimension the sum of exponentials and its logarithm are rounded to 16 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, finish, r, report, torch, w

for dtype in LOW:
    x, g = torch.randn(500, 8).to(dtype), torch.randn(500, 8).to(dtype)
    top = w(x).max(1, True).values
    logarithm = w(r(w(r((w(x) - top).exp().sum(1, True), dtype)).log(), dtype))
    report("_log_softmax", torch._log_softmax(x, 1, False), torch.log_softmax(w(x), 1), r(w(x) - top - logarithm, dtype))

finish()
