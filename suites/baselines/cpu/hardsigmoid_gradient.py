# Target cpu, cause "hardsigmoid_gradient": one sixth is a float32 constant in the float64 gradient of hardsigmoid
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import F32, F64, aten, finish, report, torch, w

grad = torch.ones(1, dtype=F64)
got = aten.hardsigmoid_backward(grad, torch.zeros(1, dtype=F64))
report("hardsigmoid_backward", got, torch.tensor([1 / 6], dtype=F64), w(torch.tensor([1 / 6], dtype=F32)))

finish()
