-- How many cells of each list, family, dtype, path and op are native, fall back, are refused or wrong? (latest run of each target)
SELECT by, value, cells, native, fallback, refused, otherwise_degraded, wrong, broken, weak, not_judged, native_cases, judged_cases, rigorous_cases, estimated_cases, target, simulated
FROM coverage
WHERE (:target IS NULL OR target = :target) AND (by <> 'op' OR :op IS NULL OR value GLOB :op)
ORDER BY target, by = 'all' DESC, by = 'op', by, value;
