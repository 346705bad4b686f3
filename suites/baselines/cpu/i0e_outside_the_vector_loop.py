# Target cpu, cause "i0e_outside_the_vector_loop": outside the vector loop the polynomials of i0e are evaluated in 16 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, finish, r, report, torch, w

for dtype in LOW:
    x = (torch.randn(512) * 4).to(dtype)
    report("special_i0e one by one", torch.cat([torch.special.i0e(t) for t in x.split(1)]), torch.special.i0e(w(x)))
    print("    in one vector:", int((torch.special.i0e(x) != r(torch.special.i0e(w(x)), dtype)).sum()), "differ")

finish()
