-- How far from the reference is each cell, in ulps and as a share of what is allowed? Nearest to the limit first.
SELECT op, dtype, path, cases, largest_ulps, mean_ulps, largest_share, outside, target, simulated
FROM numerics
WHERE run = coalesce(:run, (SELECT run FROM latest_run JOIN target t ON t.id = target WHERE :target IS NULL OR t.name = :target ORDER BY (SELECT r.started FROM run r WHERE r.id = run) DESC LIMIT 1))
  AND (:op IS NULL OR op GLOB :op)
ORDER BY largest_share DESC, op, dtype, path;
