# Target cpu, cause "averages_in_16_bits": windows are added up in 16 bits; gradients divided by the window are rounded, and so is every addition
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, added, aten, finish, r, report, torch, w

for dtype in LOW:
    z = torch.randn(1000).to(dtype)
    total = added(z, torch.zeros((), dtype=dtype))
    for side in (10, 10, 10):
        total = r(w(total) / side, dtype)
    report("_adaptive_avg_pool3d", aten._adaptive_avg_pool3d(z.view(1, 1, 10, 10, 10), [1, 1, 1]).flatten(), w(z).mean().view(1), total.view(1))
    g, x = z[:49].view(1, 1, 7, 7), torch.zeros(1, 1, 10, 10, dtype=dtype)
    report("_adaptive_avg_pool2d_backward", aten._adaptive_avg_pool2d_backward(g, x), aten._adaptive_avg_pool2d_backward(w(g), w(x)))
    g, x = z[:64].view(1, 1, 8, 8), torch.zeros(1, 1, 10, 10, dtype=dtype)
    report("avg_pool2d_backward", aten.avg_pool2d_backward(g, x, [3, 3], [1, 1], [0, 0], False, True, None), aten.avg_pool2d_backward(w(g), w(x), [3, 3], [1, 1], [0, 0], False, True, None))

finish()
