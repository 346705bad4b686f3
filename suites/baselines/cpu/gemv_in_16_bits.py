# Target cpu, cause "gemv_in_16_bits": addmv rounds the product with a column-major matrix, and beta, to 16 bits before they are used
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, finish, r, report, torch, w

for dtype in LOW:
    self, matrix, vector = torch.rand(100).to(dtype), torch.randn(12, 100).to(dtype).t(), torch.rand(12).to(dtype)
    product = w(matrix) @ w(vector)
    report("addmv, column-major", torch.addmv(self, matrix, vector), w(self) + product, r(w(self) + w(r(product, dtype)), dtype))
    dense = matrix.contiguous()
    report("addmv, beta 0.7", torch.addmv(self, dense, vector, beta=0.7), 0.7 * w(self) + product)

finish()
