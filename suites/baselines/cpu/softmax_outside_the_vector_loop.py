# Target cpu, cause "softmax_outside_the_vector_loop": columns outside the vector loop store their exponentials in 16 bits before dividing
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, finish, r, report, torch, w

for dtype in LOW:
    x = torch.randn(400, 1, 1).to(dtype)
    exps = w(r((w(x) - w(x).max()).exp(), dtype))
    report("_softmax", torch._softmax(x, 0, False), torch.softmax(w(x), 0), r(exps / (w(x) - w(x).max()).exp().sum(), dtype))

finish()
