-- How far from the reference is each cell, in ulps and as a share of what is allowed? Nearest to the limit first.
SELECT op, dtype, path, cases, largest_ulps, mean_ulps, largest_share, outside, target, simulated
FROM numerics
WHERE run = :chosen_run
  AND (:op IS NULL OR op GLOB :op)
ORDER BY largest_share DESC, op, dtype, path;
