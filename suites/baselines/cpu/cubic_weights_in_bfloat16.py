# Target cpu, cause "cubic_weights_in_bfloat16": upsample_bicubic2d rounds its weights to bfloat16
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
import math

from exactly import F64, LOW, finish, r, report, torch, w

def resized(image, size, weights_of):  # image: float64 square
    n = image.shape[-1]
    matrix = torch.zeros(size, n, dtype=F64)
    for i in range(size):
        position = (i + 0.5) * n / size - 0.5
        first, a = math.floor(position), -0.75
        t = position - first
        near, far = (lambda u: ((a + 2) * u - (a + 3)) * u * u + 1), (lambda u: ((a * u - 5 * a) * u + 8 * a) * u - 4 * a)
        for j, value in enumerate(weights_of(torch.tensor([far(t + 1), near(t), near(1 - t), far(2 - t)], dtype=F64)).tolist()):
            matrix[i, min(max(first - 1 + j, 0), n - 1)] += value
    return matrix @ image @ matrix.t()


for dtype in LOW:
    image = torch.randn(30, 30).to(dtype)
    got = torch.nn.functional.interpolate(image[None, None], size=(24, 24), mode="bicubic")[0, 0]
    report("upsample_bicubic2d, 30 to 24", got, resized(w(image), 24, lambda v: v), r(resized(w(image), 24, lambda v: w(r(v, dtype))), dtype))

finish()
