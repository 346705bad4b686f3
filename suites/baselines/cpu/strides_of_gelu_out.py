# Target cpu, cause "strides_of_gelu_out": gelu of a contiguous float32 input writes an out= of other strides as if it were contiguous (oneDNN)
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import aten, finish, report, torch, w

x, out = torch.randn(8), torch.zeros(16)[::2]
aten.gelu.out(x, out=out)
report("gelu.out, every other", out, w(aten.gelu(x)))
out = torch.zeros(16)
aten.gelu.out(x, out=out[:8])
print("contiguous out: same as gelu:", torch.equal(out[:8], aten.gelu(x)))

finish()
