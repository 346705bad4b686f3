# Target cpu, cause "glu_gradient": the gradient of glu rounds the sigmoid to 16 bits before it is used
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, aten, finish, r, report, torch, w

for dtype in LOW:
    a, b, grad = torch.randn(2000).to(dtype), torch.randn(2000).to(dtype), torch.rand(2000).to(dtype)
    got, s = aten.glu_backward(grad, torch.cat([a, b]), 0), torch.sigmoid(w(b))
    rounded = w(r(s, dtype))
    report("first half", got[:2000], s * w(grad), r(rounded * w(grad), dtype))
    report("second half", got[2000:], (1 - s) * s * w(a) * w(grad), r((1 - rounded) * rounded * w(a) * w(grad), dtype))

finish()
