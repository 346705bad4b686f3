-- Which cases are wrong, broken or refused, one by one?
SELECT op, dtype, path, row, n, verdict, reason, triage, error_ulps, case_id, cause, target, simulated
FROM errors
WHERE run = coalesce(:run, (SELECT run FROM latest_run JOIN target t ON t.id = target WHERE :target IS NULL OR t.name = :target ORDER BY (SELECT r.started FROM run r WHERE r.id = run) DESC LIMIT 1))
  AND (:op IS NULL OR op GLOB :op)
ORDER BY bucket = 'refused', op, dtype, path, row, n;
