-- Which cases were judged twice, with different verdicts?
SELECT run, row, n, op, dtype, path, verdicts, target, simulated
FROM conflicts
WHERE (:run IS NULL OR run = :run) AND (:target IS NULL OR target = :target) AND (:op IS NULL OR op GLOB :op)
ORDER BY run, row, n, path;
