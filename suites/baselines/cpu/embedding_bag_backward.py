# Target cpu, cause "embedding_bag_backward": scale_grad_by_freq divides by the frequency of another index (pytorch#190063); 16-bit gradients are added up in 16 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import BF16, F16, F32, F64, LOW, added, aten, finish, report, torch, w

def backward(grad, indices, rows, by_frequency):
    n = len(indices)
    return aten._embedding_bag_backward(grad, torch.tensor(indices), torch.tensor([0]), torch.zeros(n, dtype=torch.int64), torch.tensor([n]),
                                        torch.empty(0, dtype=torch.int64), rows, by_frequency, 0, False, None, -1)


for dtype in (F64, F32, BF16, F16):  # n times the gradient over n is the gradient
    grad = torch.tensor([[0.75, 1.5]], dtype=dtype)
    report("scale_grad_by_freq", backward(grad, [2, 0, 0, 2, 2, 1], 3, True), w(grad).expand(3, 2))
for dtype in LOW:
    grad = torch.randn(1, 10).to(dtype)
    report("one row 60 times", backward(grad, [0] * 60, 1, False)[0], 60 * w(grad)[0], added([grad[0]] * 60, torch.zeros(10, dtype=dtype)))

finish()
