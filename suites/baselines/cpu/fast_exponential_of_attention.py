# Target cpu, cause "fast_exponential_of_attention": 16-bit flash attention takes a fast exponential, good to some 13 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
import math

from exactly import F32, LOW, aten, finish, torch, w

differs = False
for dtype in (F32,) + LOW:
    worst = 0.0
    for t in torch.linspace(0.01, 12, 300).tolist():
        t = torch.tensor(t).to(dtype).item()
        q, k, v = torch.ones(1, 1, 1, 1, dtype=dtype), torch.full((1, 1, 64, 1), -t).to(dtype), torch.zeros(1, 1, 64, 1, dtype=dtype)
        k[0, 0, 0, 0] = 0
        lse = aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, False, scale=1.0)[1]
        worst = max(worst, abs(w(lse).item() - math.log1p(63 * math.exp(-t))))
    print(f"{str(dtype)[6:]}: logsumexp (float32) off by up to {worst:.3g}")
    differs = differs or worst > 1e-5

finish(differs)
