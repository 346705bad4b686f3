# Target cpu, cause "gelu_of_infinity": gelu of more than one contiguous infinity is NaN where oneDNN takes it, on some CPUs (seen: AVX-512 without AVX512_BF16)
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import BF16, F32, aten, finish, report, torch, w

for dtype in (F32, BF16):
    x = torch.full((4,), torch.inf, dtype=dtype)
    report("gelu(inf)", aten.gelu(x), w(x))
    report("gelu(inf), every other", aten.gelu(torch.cat([x, x])[::2]), w(x))

finish()
