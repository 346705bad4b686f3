-- What state is each op x dtype x path in, and since when? (latest run of each target, or --run)
SELECT op, dtype, path, state, judged, native, weak, degraded, refused, wrong, broken, since_date, target, simulated
FROM matrix
WHERE :run IS NULL AND (:target IS NULL OR target = :target) AND (:op IS NULL OR op GLOB :op)
UNION ALL
SELECT op, dtype, path, state, judged, native, weak, degraded, refused, wrong, broken, run_date, target, simulated
FROM cells
WHERE run = :run AND (:target IS NULL OR target = :target) AND (:op IS NULL OR op GLOB :op)
ORDER BY target, op, dtype, path;
