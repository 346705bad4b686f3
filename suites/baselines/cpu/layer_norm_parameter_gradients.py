# Target cpu, cause "layer_norm_parameter_gradients": gradients of weight and bias are added up row by row in 16 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, added, aten, finish, report, torch, w

for dtype in LOW:
    grad, x, weight, zero = torch.randn(40, 16).to(dtype), torch.randn(40, 16).to(dtype), torch.randn(16).to(dtype), torch.zeros(16, dtype=dtype)
    _, mean, rstd = aten.native_layer_norm(x, [16], weight, None, 1e-5)
    _, of_weight, of_bias = aten.native_layer_norm_backward(grad, x, [16], mean, rstd, weight, zero, [True] * 3)
    terms = w(grad) * (w(x) - w(mean)) * w(rstd)
    report("gradient of the bias", of_bias, w(grad).sum(0), added(grad, zero))
    report("gradient of the weight", of_weight, terms.sum(0), added(terms, zero))

finish()
