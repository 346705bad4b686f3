# Target cpu, cause "scale_of_dropout": native_dropout rounds 1 / (1 - p) to 16 bits before it multiplies
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, finish, r, report, torch, w

for dtype in LOW:
    x = (torch.rand(4000) + 0.1).to(dtype)
    out, mask = torch.native_dropout(x, 0.25, True)
    report("native_dropout", out, w(x) * w(mask) / 0.75, r(w(x) * w(mask) * w(r(1 / 0.75, dtype)), dtype))

finish()
