-- What do the failures have in common, and which line shows one of them? Most cells first.
SELECT cells, cases, verdict, reason, cause, triage, an_op, repro, target, simulated
FROM causes
WHERE run = coalesce(:run, (SELECT run FROM latest_run JOIN target t ON t.id = target WHERE :target IS NULL OR t.name = :target ORDER BY (SELECT r.started FROM run r WHERE r.id = run) DESC LIMIT 1))
ORDER BY cells DESC, cases DESC, verdict, cause;
