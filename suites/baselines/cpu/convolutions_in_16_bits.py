# Target cpu, cause "convolutions_in_16_bits": transposed convolutions and gradients of inputs add columns up in 16 bits, gradients of weights batch by batch
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F64, LOW, added, finish, r, report, torch, w

for dtype in LOW:
    x, weight = torch.randn(1, 1, 12).to(dtype), torch.randn(1, 1, 5).to(dtype)
    total = torch.zeros(16, dtype=dtype)
    for k in range(5):
        column = torch.zeros(16, dtype=F64)
        column[k:k + 12] = w(r(w(weight[0, 0, k]) * w(x[0, 0]), dtype))
        total = r(w(total) + column, dtype)
    report("conv_transpose1d", torch.conv_transpose1d(x, weight).flatten(), torch.conv_transpose1d(w(x), w(weight)).flatten(), total)
    x, grad = torch.randn(40, 1, 9).to(dtype), torch.randn(40, 1, 7).to(dtype)
    weight = torch.randn(1, 1, 3).to(dtype).requires_grad_()
    got = torch.autograd.grad(torch.conv1d(x, weight), weight, grad)[0].flatten()
    samples = (w(x)[:, 0].unfold(1, 7, 1) * w(grad)).sum(2)
    report("conv1d, gradient of the weight", got, samples.sum(0), added(samples, torch.zeros(3, dtype=dtype)))
    x = torch.randn(4, 3, 10, 10).to(dtype).requires_grad_()
    weight, grad = torch.randn(5, 3, 3, 3).to(dtype), torch.randn(4, 5, 8, 8).to(dtype)
    got = torch.autograd.grad(torch.conv2d(x, weight), x, grad)[0]
    report("conv2d, gradient of the input", got, torch.conv_transpose2d(w(grad), w(weight)))

finish()
