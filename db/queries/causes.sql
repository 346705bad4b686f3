-- What do the failures have in common, and which line shows one of them? Most cells first.
SELECT cells, cases, verdict, reason, cause, triage, an_op, repro, target, simulated
FROM causes
WHERE run = :chosen_run
ORDER BY cells DESC, cases DESC, verdict, cause;
