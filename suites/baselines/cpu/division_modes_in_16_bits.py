# Target cpu, cause "division_modes_in_16_bits": trunc rounds the quotient to 16 bits first, floor rounds a - fmod(a, b) and its quotient
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, finish, r, report, torch, w

for dtype in LOW:
    a, b = (torch.randn(40000) * 50).to(dtype), (torch.rand(40000) * 3 + 0.1).to(dtype)
    report("div trunc", torch.div(a, b, rounding_mode="trunc"), (w(a) / w(b)).trunc(), r(w(r(w(a) / w(b), dtype)).trunc(), dtype))
    mod = torch.fmod(w(a), w(b))  # exact
    quotient = w(r(w(r(w(a) - mod, dtype)) / w(b), dtype))
    quotient = torch.where(mod < 0, w(r(quotient - 1, dtype)), quotient)
    floor = quotient.floor()
    report("floor_divide", torch.floor_divide(a, b), (w(a) / w(b)).floor(), r(torch.where(quotient - floor > 0.5, floor + 1, floor), dtype))

finish()
