# Target cpu, cause "strides_of_out": softmax and log_softmax write an out= of other strides as if it were contiguous (pytorch#75923)
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F32, F64, aten, finish, report, torch, w

for dtype in (F32, F64):
    x = torch.randn(3, 4, dtype=dtype)
    for name, op in (("_softmax", aten._softmax), ("_log_softmax", aten._log_softmax)):
        for layout, out in (("transposed", torch.zeros(4, 3, dtype=dtype).t()), ("every other", torch.zeros(3, 8, dtype=dtype)[:, ::2])):
            op.out(x, 1, False, out=out)
            right = op(x, 1, False)
            report(f"{name}.out, {layout}", out, w(right))

finish()
