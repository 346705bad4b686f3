# Target cpu, cause "grid_positions_in_16_bits": grid_sampler computes positions and weights in 16 bits
# Needs torch alone. Prints what the CPU gives and the exactly rounded result (from float64, or by hand); ends with DIFFERENT (1) or same (0).
from exactly import LOW, aten, finish, r, report, torch, w

for dtype in LOW:
    x = (torch.rand(200) * 2 - 1).to(dtype)
    image, grid = torch.arange(8.0).view(1, 1, 1, 8).to(dtype), torch.stack([x, torch.zeros_like(x)], -1).view(1, 1, 200, 2)
    position = r(w(r(w(r(w(x) + 1, dtype)) / 2, dtype)) * 7, dtype)  # a ramp shows positions
    report("grid_sampler_2d of a ramp", aten.grid_sampler_2d(image, grid, 0, 0, True).flatten(), (w(x) + 1) / 2 * 7, position)

finish()
