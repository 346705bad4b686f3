-- Can a run be believed: is what was planned done, did the harness fail, were canaries planted? Newest first.
SELECT run, run_date, target, simulated, suite, selection, state, planned, done, harness_errors, shards_seen, shards, wall_s, canaries, fault, why
FROM run_health
WHERE (:target IS NULL OR target = :target) AND (:run IS NULL OR run = :run)
ORDER BY run_date DESC, run DESC;
