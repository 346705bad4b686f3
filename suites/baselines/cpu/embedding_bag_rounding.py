# Target cpu, cause "embedding_bag_rounding": means divide a sum rounded to 16 bits; FBGEMM rounds sums to bfloat16 with ties away from zero
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import BF16, LOW, finish, r, report, torch, w

for dtype in LOW:
    rows = torch.randn(60, 10).to(dtype)
    mean = torch.embedding_bag(rows, torch.arange(60), torch.tensor([0]), False, 1)[0][0]
    report("embedding_bag mean", mean, w(rows).mean(0), r(w(r(w(rows).sum(0), dtype)) / 60, dtype))
step = torch.finfo(BF16).eps
table = torch.tensor([[1.0], [step / 2]], dtype=BF16)
report("embedding_bag sum, a tie", torch.embedding_bag(table, torch.tensor([0, 1]), torch.tensor([0]), False, 0)[0][0], w(table).sum(0))

finish()
