# Target cpu, cause "step_of_linspace": linspace rounds its step to 16 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F64, LOW, finish, r, report, torch, w

for dtype in LOW:
    for start, end, count in ((-2.0, 3.5, 6), (0.75, -6.75, 18)):
        step, i = w(r((end - start) / (count - 1), dtype)), torch.arange(count, dtype=F64)
        mechanism = torch.where(i < count // 2, r(start + w(r(step * i, dtype)), dtype), r(end - w(r(step * (count - 1 - i), dtype)), dtype))
        report(f"linspace({start}, {end}, {count})", torch.linspace(start, end, count, dtype=dtype), start + (end - start) * i / (count - 1), mechanism)

finish()
