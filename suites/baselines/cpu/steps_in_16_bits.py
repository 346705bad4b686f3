# Target cpu, cause "steps_in_16_bits": every step of the formula is rounded to 16 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F16, F64, LOW, aten, finish, r, report, torch, w

n = 4000
X, Y, Z = torch.rand(n) * 0.98 + 0.01, torch.rand(n) * 3 + 0.1, torch.randn(n)
for dtype in LOW:
    x, y, z, t = X.to(dtype), Y.to(dtype), Z.to(dtype), X.flip(0).to(dtype)
    f = lambda value: w(r(value, dtype))  # noqa: E731
    X64, Y64, Z64, T64 = w(x), w(y), w(z), w(t)
    report("logit", torch.logit(x), (X64 / (1 - X64)).log(), r(f(X64 / f(1 - X64)).log(), dtype))
    report("logit_backward", aten.logit_backward(z, x), Z64 / (X64 * (1 - X64)), r(Z64 / f(X64 * f(1 - X64)), dtype))
    report("special_entr", torch.special.entr(y), -Y64 * Y64.log(), r(-Y64 * f(Y64.log()), dtype))
    report("xlogy", torch.xlogy(z, y), Z64 * Y64.log(), r(Z64 * f(Y64.log()), dtype))
    report("special_xlog1py", torch.special.xlog1py(z, y), Z64 * Y64.log1p(), r(Z64 * f(Y64.log1p()), dtype))
    report("mse_loss", aten.mse_loss(z, x, 0), (Z64 - X64) ** 2, r(f(Z64 - X64) ** 2, dtype))
    report("mse_loss_backward", aten.mse_loss_backward(y, z, x, 0), 2 * (Z64 - X64) * Y64, r(2 * f(Z64 - X64) * Y64, dtype))
    d, D, half = (Z64 - X64).abs(), f(Z64 - X64).abs(), w(torch.tensor(0.7).to(dtype))
    huber = torch.where(D < half, r(f(0.5 * D) * D, dtype), r(half * f(D - f(0.5 * half)), dtype))
    smooth = torch.where(D < half, r(f(f(0.5 * D) * D) / half, dtype), r(D - f(0.5 * half), dtype))
    report("huber_loss (bfloat16 alone)", aten.huber_loss(z, x, 0, half.item()), torch.where(d < half, 0.5 * d * d, half * (d - 0.5 * half)), huber)
    report("huber_loss_backward", aten.huber_loss_backward(y, z, x, 0, half.item()), torch.where(d <= half, Z64 - X64, half * (Z64 - X64).sign()) * Y64)
    report("smooth_l1_loss (float16 alone)", aten.smooth_l1_loss(z, x, 0, half.item()), torch.where(d < half, 0.5 * d * d / half, d - 0.5 * half), smooth)
    report("sigmoid_backward (float16 alone)", aten.sigmoid_backward(z, x), Z64 * (1 - X64) * X64, r(f(Z64 * f(1 - X64)) * X64, dtype))
    bce = r(f(f(X64 - 1) * f((-T64).log1p())) - f(X64 * f(T64.log())), dtype)
    report("binary_cross_entropy", aten.binary_cross_entropy(t, x, None, 0), -(X64 * T64.log() + (1 - X64) * (-T64).log1p()), bce)
    report("binary_cross_entropy_backward", aten.binary_cross_entropy_backward(z, t, x, None, 0), Z64 * (T64 - X64) / ((1 - T64) * T64), r(f(Z64 * f(T64 - X64)) / f(f(1 - T64) * T64), dtype))
one = lambda value: torch.tensor([value], dtype=F16)  # noqa: E731
report("mse_loss_backward, a step overflows", aten.mse_loss_backward(torch.tensor(0.1, dtype=F16), one(60000.0), one(0.0), 0), torch.tensor([0.0999755859375 * 120000]))
report("sigmoid_backward, a step overflows", aten.sigmoid_backward(one(40000.0), one(-1.0)), torch.tensor([40000.0 * 2 * -1]))
report("sigmoid_backward, a step overflows", aten.sigmoid_backward(one(40000.0), one(-0.7998046875)), torch.tensor([40000.0 * 1.7998046875 * -0.7998046875], dtype=F64))

finish()
