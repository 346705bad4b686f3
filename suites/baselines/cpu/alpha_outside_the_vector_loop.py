# Target cpu, cause "alpha_outside_the_vector_loop": outside the vector loop alpha * other is rounded to float16 and overflows
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F16, finish, report, torch, w

a, b = torch.full((1,), 65504.0, dtype=F16), torch.full((1,), 40000.0, dtype=F16)
report("_foreach_sub, one element", torch._foreach_sub([a], [b], alpha=2)[0], w(a) - 2 * w(b))
print("    64 elements:", torch._foreach_sub([a.repeat(64)], [b.repeat(64)], alpha=2)[0][0].item())

finish()
