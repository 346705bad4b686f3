# Target cpu, cause "sums_in_16_bits": sums are kept in 16 bits and rounded at every addition
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F16, LOW, added, aten, finish, report, torch, w

for dtype in LOW:
    z = torch.randn(600).to(dtype)
    zero, rows, spots = torch.zeros(10, dtype=dtype), z.view(60, 10), torch.zeros(60, dtype=torch.int64)
    g = z[:13].view(1, 13)
    report("replication_pad1d_backward", aten.replication_pad1d_backward(g, torch.zeros(1, 3, dtype=dtype), [10, 0])[:, :1], w(g[:, :11]).sum(1, True), added(g[0, :11], zero[0]).view(1, 1))
    report("reflection_pad1d_backward", aten.reflection_pad1d_backward(z[:33].view(1, 33), torch.zeros(1, 12, dtype=dtype), [11, 10])[0, 1:11], w(z[1:11].flip(0)) + w(z[12:22]) + w(z[23:33].flip(0)))
    report("embedding_dense_backward", aten.embedding_dense_backward(rows, spots, 1, -1, False)[0], w(rows).sum(0), added(rows, zero))
    report("index_put, accumulate", torch.zeros(1, 10, dtype=dtype).index_put((spots,), rows, accumulate=True)[0], w(rows).sum(0), added(rows, zero))
    report("put, accumulate", torch.zeros(1, dtype=dtype).put(spots, rows[:, 0].contiguous(), accumulate=True), w(rows[:, :1]).sum(0), added(rows[:, :1], zero[:1]))
    report("index_add of a vector", torch.zeros(1, dtype=dtype).index_add(0, spots, rows[:, 0].contiguous()), w(rows[:, :1]).sum(0), added(rows[:, :1], zero[:1]))
    report("segment_reduce", torch.segment_reduce(rows, "sum", lengths=torch.tensor([60]))[0], w(rows).sum(0), added(rows, zero))
    report("unfold_backward", aten.unfold_backward(z[:180].view(36, 5), [40], 0, 5, 1), aten.unfold_backward(w(z[:180]).view(36, 5), [40], 0, 5, 1))
    image = torch.randn(1, 1, 9, 9).to(dtype)
    _, places = torch.nn.functional.adaptive_max_pool2d(image, [7, 7], return_indices=True)
    g = z[:49].view(1, 1, 7, 7)
    report("adaptive_max_pool2d_backward", aten.adaptive_max_pool2d_backward(g, image, places), aten.adaptive_max_pool2d_backward(w(g), w(image), places))
    image = torch.randn(1, 1, 6, 6, 6).to(dtype)
    _, places = torch.nn.functional.max_pool3d(image, 3, 1, return_indices=True)
    g = z[:64].view(1, 1, 4, 4, 4)
    report("max_pool3d_with_indices_backward", aten.max_pool3d_with_indices_backward(g, image, [3] * 3, [1] * 3, [0] * 3, [1] * 3, False, places), aten.max_pool3d_with_indices_backward(w(g), w(image), [3] * 3, [1] * 3, [0] * 3, [1] * 3, False, places))
    report("col2im", aten.col2im(z[:225].view(9, 25), [5, 5], [3, 3], [1, 1], [1, 1], [1, 1]), aten.col2im(w(z[:225]).view(9, 25), [5, 5], [3, 3], [1, 1], [1, 1], [1, 1]))
x = torch.tensor([[60000.0], [60000.0], [-60000.0]], dtype=F16)
report("segment_reduce, a partial sum overflows", torch.segment_reduce(x, "sum", lengths=torch.tensor([3]))[0], w(x).sum(0))
for dtype in LOW:
    few = torch.randn(2, 100).to(dtype)
    report("nansum of an expanded vector", torch.stack([few[:, i].expand(3, 2).nansum((0, 1)) for i in range(100)]), 3 * w(few).sum(0))

finish()
