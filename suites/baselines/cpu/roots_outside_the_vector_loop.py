# Target cpu, cause "roots_outside_the_vector_loop": outside the vector loop rsqrt rounds the square root to 16 bits before it inverts it; so do gradients that take it
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, finish, r, report, torch, w

for dtype in LOW:
    y = (torch.rand(4000) * 3 + 0.1).to(dtype)
    report("rsqrt one by one", torch.cat([torch.rsqrt(t) for t in y.split(1)]), w(y).rsqrt(), r(1 / w(r(w(y).sqrt(), dtype)), dtype))
    print("    in one vector:", int((torch.rsqrt(y) != r(w(y).rsqrt(), dtype)).sum()), "differ")

finish()
