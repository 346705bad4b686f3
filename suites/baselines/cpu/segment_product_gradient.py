# Target cpu, cause "segment_product_gradient": the gradient of a product of a segment is worked out in 16 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, aten, finish, report, torch, w

for dtype in LOW:
    x, g, lengths = (torch.rand(12, 30) + 0.5).to(dtype), torch.randn(3, 30).to(dtype), torch.tensor([4, 4, 4])
    out = torch.segment_reduce(x, "prod", lengths=lengths)
    report("_segment_reduce_backward prod", aten._segment_reduce_backward(g, out, x, "prod", lengths=lengths, axis=0), w(g).repeat_interleave(4, 0) * w(out).repeat_interleave(4, 0) / w(x))

finish()
