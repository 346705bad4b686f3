# Target cpu, cause "strides_of_batch_norm": the backward of batch norm reads weight, running and saved statistics as if they were contiguous
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F32, F64, aten, finish, report, torch, w

for dtype in (F32, F64):
    grad, x = torch.randn(4, 4, dtype=dtype), torch.randn(4, 4, dtype=dtype)
    for training in (False, True):
        for which, name in enumerate(("weight", "running_mean", "running_var", "save_mean", "save_invstd")):
            wide = [torch.rand(8, dtype=dtype) + 0.5 for _ in range(5)]
            plain = [t[:4].clone() for t in wide]
            strided = list(plain)
            plain[which], strided[which] = wide[which][::2].contiguous(), wide[which][::2]
            cpu, right = (aten.native_batch_norm_backward(grad, x, *t, training, 1e-5, [True] * 3) for t in (strided, plain))
            for i in (0, 1):
                report(f"training {training}, strided {name}, output {i}", cpu[i], w(right[i]))

finish()
