# Target cpu, cause "nll_sums_in_16_bits": nll_loss adds losses and weights up in 16 bits; gradients divide by that total
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F32, LOW, aten, finish, report, torch, w

for dtype in LOW:
    x, target, weight = torch.randn(50, 3).to(dtype), torch.arange(50) % 3, (torch.rand(3) + 0.25).to(dtype)
    got, total = aten.nll_loss_forward(x, target, weight, 2, -100)
    picked, weights = w(x)[torch.arange(50), target], w(weight)[target]
    report("loss", got.view(1), -(picked * weights).sum().view(1))
    report("total weight", aten.nll_loss_forward(x, target, weight, 1, -100)[1].view(1), weights.sum().view(1))
    y = torch.randn(2, 3, 5, 5).to(dtype)
    report("2d loss", aten.nll_loss2d_forward(y, torch.zeros(2, 5, 5, dtype=torch.int64), None, 2, -100)[0].view(1), -w(y)[:, 0].sum().view(1))
    grad, sum_ = torch.rand((), dtype=F32).to(dtype), torch.tensor(5.625, dtype=dtype)
    report("backward", aten.nll_loss_backward(grad, x, target, weight, 1, -100, sum_)[torch.arange(50), target][:3], (-weights * w(grad) / w(sum_))[:3])
    grad = torch.tensor(0.7, dtype=F32).to(dtype)
    report("2d backward", aten.nll_loss2d_backward(grad, y, torch.arange(50).view(2, 5, 5) % 3, weight, 1, -100, sum_).sum(1).flatten()[:3], (-w(weight)[:3] * w(grad) / w(sum_)))

finish()
