-- Which findings did not repeat in a fresh worker?
SELECT op, dtype, path, case_id, verdict, retries, retries_failed, kind, repro_line, run_date, target, simulated
FROM flaky
WHERE (:run IS NULL OR run = :run) AND (:target IS NULL OR target = :target) AND (:op IS NULL OR op GLOB :op)
ORDER BY run_date DESC, op, dtype, path, case_id;
