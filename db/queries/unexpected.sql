-- Which results are wrong or broken and stand in no baseline?
SELECT op, dtype, path, row, n, verdict, reason, error_ulps, case_id, cause, target, simulated
FROM unexpected
WHERE run = :chosen_run
  AND (:op IS NULL OR op GLOB :op)
ORDER BY op, dtype, path, row, n;
