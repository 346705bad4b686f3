-- Which baseline entries matched nothing in what was tested, or are past their date?
SELECT kind, op, dtypes, paths, verdict, issue, run
FROM housekeeping
WHERE run = coalesce(:run, (SELECT run FROM latest_run JOIN target t ON t.id = target WHERE :target IS NULL OR t.name = :target ORDER BY (SELECT r.started FROM run r WHERE r.id = run) DESC LIMIT 1))
ORDER BY kind, op, verdict;
