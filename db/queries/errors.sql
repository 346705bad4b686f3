-- Which cases are wrong, broken or refused, one by one?
SELECT op, dtype, path, row, n, verdict, reason, triage, error_ulps, case_id, cause, target, simulated
FROM errors
WHERE run = :chosen_run
  AND (:op IS NULL OR op GLOB :op)
ORDER BY bucket = 'refused', op, dtype, path, row, n;
