-- Which results are wrong or broken and stand in no baseline?
SELECT op, dtype, path, row, n, verdict, reason, error_ulps, case_id, cause, target, simulated
FROM unexpected
WHERE run = coalesce(:run, (SELECT run FROM latest_run JOIN target t ON t.id = target WHERE :target IS NULL OR t.name = :target ORDER BY (SELECT r.started FROM run r WHERE r.id = run) DESC LIMIT 1))
  AND (:op IS NULL OR op GLOB :op)
ORDER BY op, dtype, path, row, n;
