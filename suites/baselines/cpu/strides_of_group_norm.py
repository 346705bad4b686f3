# Target cpu, cause "strides_of_group_norm": native_group_norm reads weight and bias, its backward weight, as if they were contiguous (pytorch#186414)
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F32, F64, aten, finish, report, torch, w

for dtype in (F32, F64):
    x, grad = torch.randn(2, 4, 3, dtype=dtype), torch.randn(2, 4, 3, dtype=dtype)
    wide = torch.arange(8, dtype=dtype)[::2]
    dense = wide.contiguous()
    out = aten.native_group_norm(x, dense, dense, 2, 4, 3, 2, 1e-5)
    report("strided weight", aten.native_group_norm(x, wide, dense, 2, 4, 3, 2, 1e-5)[0], w(out[0]))
    report("strided bias", aten.native_group_norm(x, dense, wide, 2, 4, 3, 2, 1e-5)[0], w(out[0]))
    arguments = (2, 4, 3, 2, [True] * 3)
    report("strided weight, backward", aten.native_group_norm_backward(grad, x, out[1], out[2], wide, *arguments)[0], w(aten.native_group_norm_backward(grad, x, out[1], out[2], dense, *arguments)[0]))

finish()
