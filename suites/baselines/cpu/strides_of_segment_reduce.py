# Target cpu, cause "strides_of_segment_reduce": segment_reduce takes the number of inner elements from the stride of the reduced dimension, arbitrary where that has one element
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F32, F64, aten, finish, report, torch, w

for dtype in (F32, F64):
    dense = torch.arange(12, dtype=dtype).view(2, 1, 6)
    odd = dense.as_strided([2, 1, 6], [6, 1, 1])
    lengths = torch.ones(2, 1, dtype=torch.int64)
    print("same values:", torch.equal(dense, odd), "contiguous:", odd.is_contiguous())
    report("segment_reduce", torch.segment_reduce(odd, "max", lengths=lengths, axis=1), w(dense))
    grad = torch.arange(1, 13, dtype=dtype).view(2, 1, 6)
    report("_segment_reduce_backward", aten._segment_reduce_backward(grad, dense, odd, "max", lengths=lengths, axis=1), w(grad))

finish()
